/** How a name is mentioned: called, imported, named as a type, or used in another way. */
export const referenceKinds = ['call', 'import', 'type', 'use'] as const;

/** One of `referenceKinds`. */
export type ReferenceKind = (typeof referenceKinds)[number];

/** Something that a file defines, as its syntax shows it. */
export interface CodeDefinition {
  readonly name: string;
  /** `function`, `class`, `method` and so on, as chunks have them; `declaration` for one without a body that has it elsewhere. */
  readonly kind: string;
  /** The names around it, outermost first. */
  readonly scope: readonly string[];
  /** The position in the list of what encloses it. */
  readonly within?: number;
  /** Line and column of the name, from 1; columns count UTF-16 units. */
  readonly line: number;
  readonly column: number;
  readonly firstLine: number;
  readonly lastLine: number;
  /** How it is declared, on one line. */
  readonly signature: string;
  readonly exported?: boolean;
  /** What it is or returns, as a path of names: `Store`, `openStore()`. */
  readonly type?: string;
  /** The names in the head of a class: what it extends and implements. */
  readonly parents?: readonly string[];
}

/** One mention of a name that is not bound within a function. */
export interface CodeReference {
  readonly name: string;
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  /** The position in the list of definitions of what encloses it. */
  readonly within?: number;
  /** What it is a member of, as a path of names that hold in the whole file: `Store`, `openStore()`; `?` where that is not known. */
  readonly via?: string;
}

/** A name that a file takes from another one. */
export interface CodeImport {
  /** The other file as it is written; empty for one that the file gives another name itself. */
  readonly from: string;
  /** The name there; `*` for all of it, `default` for what has no name. */
  readonly name: string;
  /** The name here; `*` where all names hold here as they are. */
  readonly local: string;
}

/** What one file defines and mentions. */
export interface FileGraph {
  readonly language: string;
  readonly definitions: readonly CodeDefinition[];
  readonly references: readonly CodeReference[];
  readonly imports: readonly CodeImport[];
  /** Why it is not all there, or nothing of it, where that is so. */
  readonly gap?: string;
}
