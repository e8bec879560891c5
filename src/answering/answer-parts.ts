import type { Embedder } from '../contracts/embedder.ts';
import type { Generator } from '../contracts/generator.ts';
import type { DiskState } from '../core/answer.ts';
import type { ContextFormat, ContextText } from '../core/context.ts';
import type { QuarryError } from '../core/errors.ts';
import type { Filter } from '../core/filter.ts';
import type { FirstLook } from '../core/first-look.ts';
import type { Hit } from '../core/hit.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import type { Passage } from '../core/passage.ts';
import type { SearchChoices } from '../core/search-options.ts';

/** Options of a search; each text counts by itself, whatever its document. */
type Choices = {
  readonly [Name in Exclude<keyof SearchChoices, 'byDocument'>]?: SearchChoices[Name] | undefined;
};

/** How a context differs from what the project has as its defaults. */
export interface ContextRequest extends Choices {
  readonly filter?: Filter | undefined;
  /** Whether the index is brought up to date first. */
  readonly update?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly format?: ContextFormat | undefined;
  /** Tokens of the whole block. */
  readonly maxTokens?: number | undefined;
  /** Chunks shown before and after each hit. */
  readonly neighbours?: number | undefined;
  /** Files of the project to show whole, before what is retrieved. */
  readonly manual?: readonly string[] | undefined;
  /** Whether the texts stand between lines that only this call knows. */
  readonly fence?: boolean | undefined;
}

/** What a context asks of a search. */
export interface TextSearch
  extends Omit<ContextRequest, 'format' | 'maxTokens' | 'neighbours' | 'manual' | 'fence'> {
  readonly byDocument: false;
  readonly window?: {
    readonly neighbours: number;
    readonly totalTokens: number;
    readonly passageTokens: number;
  };
}

/** What a search finds for a context. */
export interface FoundTexts {
  readonly hits: readonly Hit[];
  readonly passages?: readonly Passage[];
  readonly warnings: readonly QuarryError[];
  readonly pending: number;
  readonly indexed?: IndexSummary;
  /** How much was seen, where the answer did not wait until all files are indexed. */
  readonly firstLook?: FirstLook;
}

/** What a context is written with. */
export interface ContextParts {
  search(query: string, options: TextSearch): Promise<FoundTexts>;
  /** Files that the user names, whole and as they are on disk; with `leavesOut` those that cannot be shown are left out. */
  namedFiles(
    paths: readonly string[],
    signal: AbortSignal | undefined,
    leavesOut: boolean,
  ): Promise<ContextText[]>;
  /** What counts tokens, loaded when first asked for. */
  tokenCounter(): Promise<(text: string) => number>;
  readonly maxTokens: number;
  /** Least relevance of a text. */
  readonly threshold: number;
}

/** The model that writes answers, where there is one. */
export interface OpenGenerator {
  open(): Promise<Generator | undefined>;
  /** Forgets one that cannot be reached, so that the next call looks for a server again. */
  forget(): Promise<void>;
}

/** What an answer is made with. */
export interface AnswerParts extends ContextParts {
  readonly generator: OpenGenerator;
  /** Longest answer, in tokens of the model. */
  readonly answerTokens: number;
  embedder(): Promise<Embedder>;
  /** Whether the file of each text holds it at this moment. */
  checkOnDisk(texts: readonly ContextText[]): Promise<DiskState[]>;
}
