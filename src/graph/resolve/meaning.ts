import type { KeptDefinition } from '../file/graph-rows.ts';

/** What a name or a chain stands for. */
export interface Meaning {
  readonly definitions: readonly KeptDefinition[];
  /** Files that are meant as a whole. */
  readonly modules: readonly number[];
  /** Whether it is certainly nothing that the project defines. */
  readonly isForeign: boolean;
}

/** What cannot be known. */
export const unknown: Meaning = { definitions: [], modules: [], isForeign: false };
/** What comes from outside of the project. */
export const foreign: Meaning = { definitions: [], modules: [], isForeign: true };

/** The meaning of definitions; of none, that it cannot be known. */
export function meaningOf(definitions: readonly KeptDefinition[]): Meaning {
  return definitions.length === 0 ? unknown : { definitions, modules: [], isForeign: false };
}

/** Several meanings as one. */
export function joined(meanings: readonly Meaning[]): Meaning {
  const definitions = new Map(
    meanings.flatMap((each) => each.definitions).map((each) => [keyOf(each), each]),
  );
  return {
    definitions: [...definitions.values()],
    modules: [...new Set(meanings.flatMap(({ modules }) => modules))],
    isForeign: meanings.length > 0 && meanings.every(({ isForeign }) => isForeign),
  };
}

/** Whether nothing is known of it. */
export function isEmpty({ definitions, modules }: Meaning): boolean {
  return definitions.length === 0 && modules.length === 0;
}

/** Names a definition among all. */
export function keyOf({ document, position }: KeptDefinition): string {
  return `${document}:${position}`;
}
