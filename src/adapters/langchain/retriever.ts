import type { Document } from '@langchain/core/documents';
import { BaseRetriever, type BaseRetrieverInput } from '@langchain/core/retrievers';
import type { Project, SearchOptions } from '../../calls/project.ts';
import type { QuarryError } from '../../core/errors.ts';
import { foundTexts } from '../found-text.ts';
import { toDocument } from './documents.ts';

/** A retriever's project, and how it is searched. */
export interface QuarryRetrieverInput extends BaseRetrieverInput {
  readonly project: Pick<Project, 'search'>;
  /** `topK`, `threshold`, `filter`, `window` and the other options of `project.search`. */
  readonly search?: SearchOptions;
  /** Told why an answer may be incomplete. */
  readonly onWarning?: (warning: QuarryError) => void;
}

/** Retrieves the chunks, or with a window the passages, that answer a query. */
export class QuarryRetriever extends BaseRetriever {
  static override lc_name(): string {
    return 'QuarryRetriever';
  }

  override lc_namespace = ['quarry', 'retrievers'];
  readonly #input: QuarryRetrieverInput;

  constructor(input: QuarryRetrieverInput) {
    const { project: _, search: _search, onWarning: _warning, ...fields } = input;
    super(fields);
    this.#input = input;
  }

  override async _getRelevantDocuments(query: string): Promise<Document[]> {
    const { project, search, onWarning } = this.#input;
    const outcome = await project.search(query, { byDocument: false, ...search });
    for (const warning of outcome.warnings) onWarning?.(warning);
    return foundTexts(outcome).map(toDocument);
  }
}
