import { formatTexts } from '../../answering/context/format-texts.ts';
import type { Project } from '../../calls/project.ts';
import { asQuarryError } from '../../core/errors.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import type { Environment } from '../../platform/environment.ts';
import { type LibrarianConfig, librarianConfig, librarianDefaults } from './librarian-config.ts';

/** A document that the librarian found; its fields have the names of the workflow's state. */
export interface RetrievedDocument {
  readonly file_path: string;
  readonly section: string;
  readonly content_snippet: string;
  /** Relevance, 0 to 1. */
  readonly score: number;
}

/** A file that the user named, with its text. */
export interface ManualDocument {
  readonly file_path: string;
  readonly content: string;
}

/** What the node reads of the workflow's state. */
export interface LibrarianState {
  readonly issue_brief: string;
  /** Paths of files that the user wants to be considered. */
  readonly manual_context?: readonly string[];
}

/** What the node changes in the workflow's state; nothing where it cannot run. */
export interface LibrarianUpdate {
  readonly retrieved_context?: RetrievedDocument[];
  readonly combined_context?: string;
}

/** What a librarian works with. */
export interface LibrarianOptions extends Partial<LibrarianConfig> {
  /** The project that holds decisions, standards and designs; its opener closes it. */
  readonly project: Project;
  /** Gets the messages for people; they go to standard error by default. */
  readonly log?: (line: string) => void;
  /** Reads variables in place of the process's own environment. */
  readonly environment?: Environment;
}

/** Milliseconds of loading after which people are told what they wait for. */
const patience = 500;

/**
 * A node for LangGraph between brief and designer. It looks up what a brief has to respect, and leaves the state as it is
 * where retrieval cannot run: a workflow never fails because of its librarian.
 */
export function librarianNode({
  project,
  log = toStandardError,
  environment,
  ...given
}: LibrarianOptions): (state: LibrarianState) => Promise<LibrarianUpdate> {
  return async ({ issue_brief: brief, manual_context: manual = [] }) => {
    const config = librarianConfig(given, environment);
    if (!project.settings.enabled || brief.trim() === '') return {};
    const waiting = setTimeout(() => log('[Librarian] Loading the embedding model …'), patience);
    const [available, message] = await checkDependencies(project).finally(() => clearTimeout(waiting));
    if (!available) {
      log(`[Librarian] RAG dependencies not installed. ${message}`);
      return {};
    }
    if (!(await storeExists(project, log))) {
      log('[Librarian] Vector store not found. Run: quarry index');
      return {};
    }
    const { similarityThreshold: threshold, topKResults: topK, topKCandidates: candidates } = config;
    const retrieved = await queryKnowledgeBase(project, brief, { topK, threshold, candidates }).catch(
      (thrown: unknown) => {
        const { message, remedy } = asQuarryError(thrown);
        log(`[Librarian] ${message} ${remedy}`);
        return undefined;
      },
    );
    if (!retrieved) return {};
    if (retrieved.length === 0)
      log(`[Librarian] No relevant documents found with a relevance of ${threshold} or more.`);
    const named = await manualDocuments(project, brief, manual);
    return { retrieved_context: retrieved, combined_context: mergeContext(named, retrieved) };
  };
}

/** Whether all is there that the search needs, and how to get it where it is not. */
export async function checkDependencies(
  project: Pick<Project, 'embedder'>,
): Promise<[available: boolean, message: string]> {
  try {
    const embedder = await project.embedder();
    await embedder.load?.();
    return [true, ''];
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    return [false, `${message} ${remedy}`];
  }
}

/** Whether there is an index that can be opened and holds something. */
export async function storeExists(
  project: Pick<Project, 'status'>,
  log: (line: string) => void = () => {},
): Promise<boolean> {
  try {
    return !(await project.status({ compare: false })).empty;
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    log(`[Librarian] ${message} ${remedy}`);
    return false;
  }
}

/** The documents that a query is about, each once with its best passage, best first. */
export async function queryKnowledgeBase(
  project: Pick<Project, 'search'>,
  query: string,
  {
    topK = librarianDefaults.topKResults,
    threshold = librarianDefaults.similarityThreshold,
    candidates = librarianDefaults.topKCandidates,
  } = {},
): Promise<RetrievedDocument[]> {
  const { passages = [] } = await project.search(query, {
    topK: Math.max(candidates, topK),
    threshold,
    byDocument: false,
    window: { neighbours: 1 },
  });
  const byFile = new Map<string, RetrievedDocument>();
  for (const { document, section, text, relevance } of passages) {
    const known = byFile.get(document.uri);
    if (known && known.score >= relevance) continue;
    const found = { file_path: document.uri, section, content_snippet: text, score: relevance };
    byFile.set(document.uri, found);
  }
  return [...byFile.values()].sort((one, other) => other.score - one.score).slice(0, topK);
}

/** Both kinds of context as one Markdown block: what the user named first, and no file twice. */
export function mergeContext(
  manual: readonly ManualDocument[],
  retrieved: readonly RetrievedDocument[],
): string {
  const common = { title: '', type: 'doc', signatures: '' };
  return formatTexts(
    [
      ...manual.map(({ file_path: uri, content: text }) => ({ ...common, uri, text, section: '' })),
      ...retrieved.map(({ file_path: uri, content_snippet: text, section, score: relevance }) => ({
        ...common,
        uri,
        text,
        section,
        relevance,
      })),
    ],
    'markdown',
    true,
  );
}

/** Files that the user named, as the project reads them: inside its folder, and without secrets. */
async function manualDocuments(
  project: Pick<Project, 'context'>,
  brief: string,
  paths: readonly string[],
): Promise<ManualDocument[]> {
  if (paths.length === 0) return [];
  // Of this block only the named files are used; the retrieved ones have bounds of their own.
  const { sources } = await project.context(brief, { manual: paths, topK: 1, update: false });
  return sources
    .filter(({ relevance }) => relevance === undefined)
    .map(({ uri, text }) => ({ file_path: uri, content: text }));
}

function toStandardError(line: string): void {
  process.stderr.write(`${shownLine(line)}\n`);
}
