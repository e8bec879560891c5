import type { Project } from '../calls/project.ts';
import type { JudgedQuestion } from './labels/judgement.ts';

/** Settings by dotted key, as a caller gives them to a project. */
export type GivenSettings = Readonly<Record<string, unknown>>;

/** Questions with labels, and the documents they are asked of. */
export interface EvaluationSet {
  readonly name: string;
  /** Parts are indexed apart, so that a question sees the documents of its own part alone. */
  readonly parts: readonly SetPart[];
  /** Questions without anything relevant; they are not asked. */
  readonly unjudged: number;
  /** Why the result may be unfair, for a person. */
  readonly warnings: readonly string[];
}

/** Questions with one index to ask. */
export interface SetPart {
  readonly questions: readonly JudgedQuestion[];
  /** Opens the documents as a project with these settings above all others; it is indexed by the caller. */
  open(settings: GivenSettings, signal?: AbortSignal): Promise<OpenedPart>;
}

/** A part's project, and how labels are matched to its documents. */
export interface OpenedPart {
  readonly project: Project;
  /** Whether a label means the document, though its path is not the document's uri. */
  isMeant(path: string, uri: string): boolean;
  /** Whether a document is not judged, such as the file with the questions. */
  isIgnored?(uri: string): boolean;
  /** What the document is called in its set. */
  nameOf(uri: string): string;
  close(): Promise<void>;
}

/** How sets are read. */
export interface SetOptions {
  /** Where work folders are kept. */
  readonly cacheFolder: string;
  /** Ask only the first N questions of each set. */
  readonly limit?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}
