import { type Meaning, unknown } from './meaning.ts';
import type { GraphView } from './view.ts';

const known = new WeakMap<GraphView, Map<string, Meaning>>();

/**
 * What was found out before in the same view, or is found out now, under a name for it. What needs itself to be found out is
 * unknown there: classes and files that name each other in circles would be gone through along every path.
 */
export function remembered(view: GraphView, key: string, find: () => Meaning): Meaning {
  const found = known.get(view) ?? new Map<string, Meaning>();
  known.set(view, found);
  const before = found.get(key);
  if (before) return before;
  found.set(key, unknown);
  try {
    const meaning = find();
    found.set(key, meaning);
    return meaning;
  } catch (thrown) {
    // What could not be read now is no answer for those that ask next.
    found.delete(key);
    throw thrown;
  }
}
