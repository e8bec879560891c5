import type { KeptDefinition } from '../file/graph-rows.ts';
import type { GraphView } from '../resolve/view.ts';

/** What a file defines, in order; undefined for a file that the graph does not have. */
export interface CodeOutline {
  readonly definitions: readonly KeptDefinition[];
  /** Why there are none, or not all of them. */
  readonly gap?: string;
}

/** Local constants and the like say nothing of what a file is. */
const plain: ReadonlySet<string> = new Set(['constant', 'variable', 'property', 'declaration']);

/** The definitions of a file without what only a function holds that is no function itself. */
export function outlineOf(view: GraphView, uri: string): CodeOutline | undefined {
  const file = view.documentAt(uri);
  if (!file) return undefined;
  const all = view.definitionsIn(file.id);
  const isLocal = ({ within, kind }: KeptDefinition): boolean => {
    const holder = within === undefined ? undefined : all[within];
    return (
      holder !== undefined && plain.has(kind) && ['function', 'method', 'constructor'].includes(holder.kind)
    );
  };
  return {
    definitions: all.filter((each) => !isLocal(each)),
    ...(file.gap !== undefined && { gap: file.gap }),
  };
}
