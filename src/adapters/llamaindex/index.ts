import type { QueryBundle } from '@llamaindex/core/query-engine';
import { BaseRetriever } from '@llamaindex/core/retriever';
import { type NodeWithScore, TextNode } from '@llamaindex/core/schema';
import { extractText } from '@llamaindex/core/utils';
import type { Project, SearchOptions } from '../../calls/project.ts';
import type { QuarryError } from '../../core/errors.ts';
import { foundTexts } from '../found-text.ts';

/** A retriever's project, and how it is searched. */
export interface QuarryRetrieverInput {
  readonly project: Pick<Project, 'search'>;
  /** `topK`, `threshold`, `filter`, `window` and the other options of `project.search`. */
  readonly search?: SearchOptions;
  /** Told why an answer may be incomplete. */
  readonly onWarning?: (warning: QuarryError) => void;
}

/** A retriever for the query engines of LlamaIndex.TS; its scores are relevance. */
export class QuarryRetriever extends BaseRetriever {
  readonly #input: QuarryRetrieverInput;

  constructor(input: QuarryRetrieverInput) {
    super();
    this.#input = input;
  }

  async _retrieve({ query }: QueryBundle): Promise<NodeWithScore[]> {
    const { project, search, onWarning } = this.#input;
    const outcome = await project.search(extractText(query), { byDocument: false, ...search });
    for (const warning of outcome.warnings) onWarning?.(warning);
    return foundTexts(outcome).map(({ id, text, facts }) => ({
      node: new TextNode({ id_: id, text, metadata: { ...facts } }),
      score: facts.relevance,
    }));
  }
}
