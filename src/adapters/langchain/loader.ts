import { BaseDocumentLoader } from '@langchain/core/document_loaders/base';
import type { Document } from '@langchain/core/documents';
import { textOfChunks } from '../../added/stored-content.ts';
import type { Project } from '../../calls/project.ts';
import type { Filter } from '../../core/filter.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { chunkText, wholeText } from '../found-text.ts';
import { toDocument } from './documents.ts';

/** What is loaded, and in which pieces. */
export interface QuarryLoaderInput {
  readonly project: Pick<Project, 'freshen' | 'store'>;
  /** Only these documents. */
  readonly filter?: Filter;
  /** Whole documents (by default), or the chunks that Quarry cuts them into. */
  readonly by?: 'document' | 'chunk';
}

/**
 * Loads the documents of a project as text: PDF, office files, books, HTML, e-mail and notebooks extracted, ignored files left out, and
 * secrets blacked out.
 */
export class QuarryLoader extends BaseDocumentLoader {
  readonly #input: QuarryLoaderInput;

  constructor(input: QuarryLoaderInput) {
    super();
    this.#input = input;
  }

  async load(): Promise<Document[]> {
    const { project, filter, by = 'document' } = this.#input;
    // Text alone is needed here; vectors can wait.
    for await (const _ of project.freshen({ update: true, vectors: false }));
    const store = await project.store();
    const loaded: Document[] = [];
    for (const record of await store.documents(filter)) {
      const chunks = await chunksOf(store, record.id);
      const texts =
        by === 'chunk'
          ? chunks.map((chunk) => chunkText(chunk, record))
          : [wholeText(textOfChunks(chunks), record)];
      loaded.push(...texts.map(toDocument));
    }
    return loaded;
  }
}
