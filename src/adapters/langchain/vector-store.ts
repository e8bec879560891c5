import { Document, type DocumentInterface } from '@langchain/core/documents';
import { VectorStore } from '@langchain/core/vectorstores';
import type { Project } from '../../calls/project.ts';
import { virtualUri } from '../../core/document.ts';
import { QuarryError } from '../../core/errors.ts';
import type { Filter } from '../../core/filter.ts';
import { sha256 } from '../../core/identity.ts';
import { chunkText, foundTexts } from '../found-text.ts';
import { keptMetadata, toDocument } from './documents.ts';
import { QuarryEmbeddings } from './embeddings.ts';

/** The project that a vector store keeps its documents in. */
export interface QuarryVectorStoreInput {
  readonly project: Project;
  /** Told why what was added may lack vectors for now, or why an answer may be incomplete. */
  readonly onWarning?: (warning: QuarryError) => void;
}

/**
 * A project as a vector store. What is added is kept as added content, beside the files of the folder; a search finds
 * both, by vectors and words, and its scores are relevance.
 */
export class QuarryVectorStore extends VectorStore {
  declare FilterType: Filter;
  readonly #project: Project;
  readonly #warn: (warning: QuarryError) => void;

  constructor({ project, onWarning = () => {} }: QuarryVectorStoreInput) {
    super(new QuarryEmbeddings({ project }), {});
    this.#project = project;
    this.#warn = onWarning;
  }

  static override async fromDocuments(
    documents: DocumentInterface[],
    embeddings: unknown,
    input: QuarryVectorStoreInput,
  ): Promise<QuarryVectorStore> {
    if (embeddings !== undefined && !(embeddings instanceof QuarryEmbeddings)) throw ownVectors();
    const store = new QuarryVectorStore(input);
    await store.addDocuments(documents);
    return store;
  }

  static override fromTexts(
    texts: string[],
    metadatas: object[] | object,
    embeddings: unknown,
    input: QuarryVectorStoreInput,
  ): Promise<QuarryVectorStore> {
    const documents = texts.map((pageContent, place) => {
      const metadata = Array.isArray(metadatas) ? metadatas[place] : metadatas;
      return new Document({ pageContent, metadata: metadata ?? {} });
    });
    return QuarryVectorStore.fromDocuments(documents, embeddings, input);
  }

  _vectorstoreType(): string {
    return 'quarry';
  }

  /** Keeps documents under their ids, or under a hash of their text, and returns these; a known id is replaced. */
  async addDocuments(
    documents: DocumentInterface[],
    { ids }: { readonly ids?: readonly string[] } = {},
  ): Promise<string[]> {
    const names: string[] = [];
    for (const [place, { id, pageContent, metadata }] of documents.entries()) {
      const name = ids?.[place] ?? id ?? sha256(pageContent).slice(0, 16);
      const { title, type } = metadata;
      const { warnings } = await this.#project.add({
        name,
        text: pageContent,
        ...(typeof title === 'string' && { title }),
        ...(typeof type === 'string' && type !== '' && { type }),
        metadata: { [keptMetadata]: JSON.stringify(metadata) },
      });
      for (const warning of warnings) this.#warn(warning);
      names.push(name);
    }
    return names;
  }

  async addVectors(): Promise<never> {
    throw ownVectors();
  }

  /** Removes documents that were added, by their ids. */
  override async delete({ ids = [] }: { readonly ids?: readonly string[] } = {}): Promise<void> {
    await this.#project.remove(...ids.map(virtualUri));
  }

  override async similaritySearchWithScore(
    query: string,
    k = 4,
    filter?: Filter,
  ): Promise<[DocumentInterface, number][]> {
    const outcome = await this.#project.search(query, {
      topK: k,
      byDocument: false,
      ...(filter && { filter }),
    });
    for (const warning of outcome.warnings) this.#warn(warning);
    return foundTexts(outcome).map((found) => [toDocument(found), found.facts.relevance ?? 0]);
  }

  override async similaritySearch(query: string, k = 4, filter?: Filter): Promise<DocumentInterface[]> {
    return (await this.similaritySearchWithScore(query, k, filter)).map(([document]) => document);
  }

  /** The nearest chunks to a vector of the project's embedder; the score is the cosine. */
  async similaritySearchVectorWithScore(
    query: number[],
    k: number,
    filter?: Filter,
  ): Promise<[DocumentInterface, number][]> {
    const { fingerprint } = await this.#project.embedder();
    const bounds = { limit: k, ...(filter && { filter }) };
    const store = await this.#project.store();
    const matches = await store.searchVector(fingerprint, Float32Array.from(query), bounds);
    return matches.map(({ chunk, document, score }) => [toDocument(chunkText(chunk, document)), score]);
  }
}

function ownVectors(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'Quarry makes the vectors of its documents itself.',
    'Call addDocuments, and choose the model with embedder.model.',
  );
}
