import { rightKey } from '../contracts/record-faults.ts';
import type { StoreDefect, VectorEntry } from '../contracts/store.ts';
import { messageOf } from '../core/errors.ts';
import { type Finding, isUnreadable, type Look, requireGoing } from './findings.ts';
import type { DocumentPart } from './read-parts.ts';

/** What is wrong with a vector of a space, in words; undefined where it can be compared with others. */
export function vectorFault({ vector }: VectorEntry, dimensions: number): string | undefined {
  if (vector.length !== dimensions) return `has ${vector.length} values where ${dimensions} are expected`;
  let squares = 0;
  for (const value of vector) squares += value * value;
  if (!Number.isFinite(squares)) return 'is not finite';
  return squares === 0 ? 'points nowhere' : undefined;
}

/** The vectors of these chunks in every space; adds to `embedded` how many chunks have one. */
export async function* inspectVectors(
  { store, state, signal }: Look,
  parts: readonly DocumentPart[],
  embedded: Map<string, number>,
): AsyncGenerator<Finding> {
  const owners = parts.flatMap(({ document, chunks }) =>
    chunks.map((chunk) => ({ uri: document.uri, chunk, key: rightKey(chunk) })),
  );
  if (owners.length === 0) return;
  const keys = [...new Set(owners.map(({ key }) => key))];
  for (const [space, { dimensions }] of state.spaces) {
    requireGoing(signal);
    const finding = (uri: string | undefined, detail: string): Finding => {
      const defect: StoreDefect = { kind: 'vector', detail, ...(uri !== undefined && { uri }) };
      return { defect, cure: { step: 'space', space } };
    };
    const present = await store.keysWithVector(space, keys);
    const faults = new Map<string, string>();
    for (const key of present) faults.set(key, 'is counted, but not there');
    try {
      for (const entry of await store.vectorsOf(space, keys)) {
        const fault = vectorFault(entry, dimensions);
        if (fault !== undefined) faults.set(entry.embeddingKey, fault);
        else if (present.has(entry.embeddingKey)) faults.delete(entry.embeddingKey);
        else faults.set(entry.embeddingKey, 'is there, but not counted');
      }
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
      yield finding(undefined, `Vectors of the space ${space} cannot be read: ${messageOf(thrown)}`);
      continue;
    }
    for (const { uri, chunk, key } of owners) {
      if (present.has(key)) embedded.set(space, (embedded.get(space) ?? 0) + 1);
      const fault = faults.get(key);
      if (fault !== undefined) yield finding(uri, `The vector of chunk ${chunk.id} in ${space} ${fault}.`);
    }
  }
}
