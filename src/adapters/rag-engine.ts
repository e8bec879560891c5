import { existsSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import type { InjectOptions, Project } from '../calls/project.ts';
import { isVirtual, type Metadata, virtualUri } from '../core/document.ts';
import { QuarryError } from '../core/errors.ts';
import { type Once, once } from '../platform/once.ts';
import { openProject } from '../project/open-project.ts';
import { legacyKeys, providerDriver } from '../settings/legacy-names.ts';

/** The `[rag]` table of existing set-ups; what is absent is taken from the settings of the folder. */
export interface RAGConfig {
  readonly enabled?: boolean;
  readonly embedding_provider?: string;
  /** Characters. */
  readonly chunk_size?: number;
  /** Characters. */
  readonly chunk_overlap?: number;
  /** Whether a search first brings the index up to date with the folder; otherwise only what was indexed is found. */
  readonly auto_index_on_load?: boolean;
  readonly top_k?: number;
  readonly vector_store?: {
    readonly provider?: string;
    readonly collection_name?: string;
    readonly url?: string;
    readonly api_key?: string;
    readonly mcp_server?: string;
    readonly mcp_tool?: string;
  };
}

/** A fragment that a search found. */
export interface RAGResult {
  readonly text: string;
  readonly metadata: Metadata;
  /** 1 minus the relevance: 0 is nearest. */
  readonly distance: number;
}

/**
 * The engine of programs that index file by file and search for fragments. Nothing is opened before the first call; with
 * `enabled: false` every call is a no-op.
 */
export class RAGEngine {
  readonly config: RAGConfig;
  readonly baseDir: string;
  readonly #project: Once<Project>;

  constructor(config: RAGConfig = {}, baseDir = '.') {
    this.config = config;
    this.baseDir = resolve(baseDir);
    this.#project = once(
      () => openProject(this.baseDir, { settings: settingsOf(config) }),
      (project) => project.close(),
    );
  }

  /**
   * Brings one file, or a folder, up to date; the first call reads all files of the project. A path that the folder does
   * not have is tried from the current folder.
   */
  async indexFile(path: string): Promise<void> {
    const project = await this.#project();
    for await (const event of project.index({ only: [this.#pathOf(path)] })) {
      if (event.type === 'document-failed')
        throw new QuarryError(
          'file-unreadable',
          `${event.uri}: ${event.reason}`,
          'Correct the file, or leave it out.',
        );
    }
  }

  /** The fragments that answer a query, best first; none where nothing is indexed. */
  async search(query: string, topK = this.config.top_k ?? 5): Promise<RAGResult[]> {
    const project = await this.#project();
    const { hits } = await project.search(query, {
      topK,
      byDocument: false,
      update: this.config.auto_index_on_load ?? false,
    });
    return hits.map(({ chunk, document, relevance }) => ({
      text: chunk.text,
      metadata: {
        path: document.uri,
        chunk_index: chunk.ordinal,
        title: document.title,
        section: chunk.section,
        doc_type: document.type,
        ...document.metadata,
      },
      distance: 1 - relevance,
    }));
  }

  /** Adds texts with no file behind them, under their ids; a text of the same id is replaced. */
  async addDocuments(
    ids: readonly string[],
    texts: readonly string[],
    metadatas: readonly Metadata[] = [],
  ): Promise<void> {
    if (ids.length !== texts.length || (metadatas.length > 0 && metadatas.length !== ids.length))
      throw new QuarryError(
        'usage-invalid',
        `addDocuments got ${ids.length} ids, ${texts.length} texts and ${metadatas.length} metadatas.`,
        'Give one id for each text, and metadata for all of them or for none.',
      );
    const project = await this.#project();
    for (const [index, name] of ids.entries()) {
      const metadata = metadatas[index];
      await project.add({ name, text: texts[index] ?? '', ...(metadata && { metadata: { ...metadata } }) });
    }
  }

  /** Removes texts that were added, by their ids. */
  async deleteDocuments(ids: readonly string[]): Promise<void> {
    const project = await this.#project();
    if (ids.length > 0 && project.settings.enabled) await project.remove(...ids.map(virtualUri));
  }

  /** Removes a file from the index, and the texts that were added with this path. */
  async deleteDocumentsByPath(path: string): Promise<void> {
    const wanted = this.#pathOf(path);
    const project = await this.#project();
    const uris = (await documentsOf(project))
      .filter(({ uri, metadata }) => uri === wanted || metadata.path === path)
      .map(({ uri }) => uri);
    if (uris.length > 0) await project.remove(...uris);
  }

  /** Every path in the index, sorted; texts that were added have the path of their metadata, or their id. */
  async getAllIndexedPaths(): Promise<string[]> {
    const documents = await documentsOf(await this.#project());
    const pathOf = (uri: string, { path }: Metadata): string =>
      isVirtual(uri) ? (typeof path === 'string' ? path : uri.slice(virtualUri('').length)) : uri;
    return [...new Set(documents.map(({ uri, metadata }) => pathOf(uri, metadata)))].sort();
  }

  async isEmpty(): Promise<boolean> {
    return (await (await this.#project()).status({ compare: false })).empty;
  }

  /** The prompt with what was retrieved for the query in front; the prompt as it is where there is nothing. */
  async inject(prompt: string, query: string, options: InjectOptions = {}): Promise<string> {
    const update = this.config.auto_index_on_load ?? false;
    return (await this.#project()).inject(prompt, query, { update, ...options });
  }

  /** Ends what is under way; the next call opens the project again. */
  async close(): Promise<void> {
    await this.#project.close();
  }

  #pathOf(path: string): string {
    const here = resolve(this.baseDir, path);
    const found = existsSync(here) || !existsSync(path) ? here : resolve(path);
    return relative(this.baseDir, found).split(sep).join('/') || '.';
  }
}

async function documentsOf(project: Project) {
  const isUsed = project.settings.enabled && !(await project.status({ compare: false })).empty;
  return isUsed ? (await project.store()).documents() : [];
}

/** The settings that the table stands for, as a file with the same names would give them. */
function settingsOf({
  vector_store: store = {},
  auto_index_on_load: _,
  ...rag
}: RAGConfig): Record<string, unknown> {
  const settings: Record<string, unknown> = {};
  const tables = [['rag', rag] as const, ['rag.vector_store', store] as const];
  for (const [table, values] of tables)
    for (const [name, value] of Object.entries(values)) {
      const known = legacyKeys[`${table}.${name}`];
      if (value === undefined || value === '') continue;
      if (!known)
        throw new QuarryError(
          'config-invalid',
          `RAGConfig has no setting "${name}".`,
          'Use the names of the [rag] table.',
        );
      Object.assign(settings, known.implies, { [known.key]: value });
    }
  if (store.provider) settings['store.driver'] = providerDriver(store.provider, store.url);
  return settings;
}
