import type { ReferenceKind } from '../core/code-graph.ts';
import type { QuarryError } from '../core/errors.ts';
import type { OptionsOf } from './call-options.ts';

/** How the graph of the code is asked. */
export type GraphOptions = OptionsOf<'graph'>;

/** Something that the code defines, and where. */
export interface CodeSymbolPlace {
  readonly name: string;
  /** The names around it, outermost first. */
  readonly scope: readonly string[];
  readonly kind: string;
  readonly uri: string;
  /** First and last line. */
  readonly lines: readonly [first: number, last: number];
  readonly signature: string;
}

/** Whether a mention certainly means what was asked for, or may mean something else too. */
export type Certainty = 'certain' | 'possible';

/** A place where a name is mentioned. */
export interface CodeMention {
  readonly uri: string;
  readonly line: number;
  readonly column: number;
  /** `text` for an occurrence that is no name of the code: in a string, a comment or a document. */
  readonly kind: ReferenceKind | 'text';
  /** The definition around it. */
  readonly within?: CodeSymbolPlace;
  readonly certainty: Certainty;
  /** The line itself, as the index holds it; empty where it is not known. */
  readonly text: string;
}

/** What every answer says of the graph that it comes from. */
interface GraphAnswer {
  /** Why it may be incomplete, with what to do about it. */
  readonly warnings: readonly QuarryError[];
}

/** Every mention of a name, certain ones first. */
export interface ReferencesOutcome extends GraphAnswer {
  /** What is defined under the name; empty for a name that the project only mentions. */
  readonly definitions: readonly CodeSymbolPlace[];
  readonly mentions: readonly CodeMention[];
  /** How many there are, also of those that did not fit. */
  readonly counts: { readonly certain: number; readonly possible: number };
}

/** What a definition calls. */
export interface CalleesOutcome extends GraphAnswer {
  readonly definitions: readonly CodeSymbolPlace[];
  readonly callees: readonly (CodeSymbolPlace & {
    readonly certainty: Certainty;
    readonly calledAt: readonly number[];
  })[];
  /** Names that are called and not defined in the project. */
  readonly foreign: readonly string[];
}

/** A line of an outline: a definition of code, or a heading, key or message of another file. */
export interface OutlineEntry {
  readonly name: string;
  readonly kind: string;
  /** How deep it lies in others, from 0. */
  readonly depth: number;
  /** Path and place, which `read` takes. */
  readonly citation: string;
  readonly signature: string;
}

/** What is in a file. */
export interface OutlineOutcome extends GraphAnswer {
  readonly uri: string;
  readonly entries: readonly OutlineEntry[];
}

/** What belongs to a definition or a file. */
export interface RelatedOutcome extends GraphAnswer {
  readonly definitions: readonly CodeSymbolPlace[];
  readonly callers: readonly CodeMention[];
  readonly callees: CalleesOutcome['callees'];
  /** Files of tests that mention it, or are named after its file. */
  readonly tests: readonly string[];
  readonly imports: readonly string[];
  readonly importedBy: readonly string[];
  /** What the file links to, and what links to it: notes, pages and files by their paths. */
  readonly links: readonly string[];
  readonly linkedBy: readonly string[];
  /** What it links to that the index does not have, as it is written. */
  readonly missingLinks: readonly string[];
}

/** Answers from the definitions and mentions in the code, after bringing the text of the index up to date. */
export interface ProjectGraph {
  /** Where a name is mentioned: `search`, `Store.search`, `src/store.ts#search`, or what is defined at `src/store.ts:40`. */
  references(name: string, options?: GraphOptions): Promise<ReferencesOutcome>;
  /** Where it is called. */
  callers(name: string, options?: GraphOptions): Promise<ReferencesOutcome>;
  /** What it calls. */
  callees(name: string, options?: GraphOptions): Promise<CalleesOutcome>;
  /** What a file defines; of one without a grammar, its headings, keys or messages. */
  outline(path: string, options?: GraphOptions): Promise<OutlineOutcome>;
  /** What belongs to a name, a place or a file: who calls it, what it calls, its tests, the files around it; of a note, its links. */
  related(place: string, options?: GraphOptions): Promise<RelatedOutcome>;
  /** One short line for each place (`src/store.ts:40`): who calls what is defined there, what it calls, where it is tested. Nothing is updated for it. */
  facts(places: readonly string[]): Promise<string[]>;
  /** The names that files of code define, by which one finds one's way, each with its lines; of other files nothing. Nothing is updated for it. */
  names(paths: readonly string[]): Promise<readonly FileNames[]>;
  /** Defined names that are written much like this one, nearest first; none where it is defined itself. Nothing is updated for it. */
  nearTo(name: string): Promise<readonly string[]>;
}

/** What a file of code defines. */
export interface FileNames {
  readonly uri: string;
  /** In the order of the file; what a class has follows it, and begins with a dot. */
  readonly names: readonly {
    readonly name: string;
    readonly lines: readonly [first: number, last: number];
  }[];
}
