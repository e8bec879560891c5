import type { StoreDefect } from '../../../contracts/store.ts';
import { chunkFaults, manifestFault, rightKey } from '../soundness.ts';
import type { MockMemory } from './memory.ts';

/** A defect and what mends it. */
export interface Finding {
  readonly defect: StoreDefect;
  /** The document that mending takes out. */
  readonly removes?: string;
  mend(): void;
}

/** Everything that is wrong with what the memory was given. */
export function* findings(memory: MockMemory): Generator<Finding> {
  for (const { document, passages } of memory.documents.values()) {
    const { id, uri } = document;
    const chunks = passages.map(({ chunk }) => chunk);
    for (const detail of chunkFaults(uri, chunks)) {
      const mend = () => {
        memory.documents.delete(id);
        memory.manifest.delete(uri);
      };
      yield { defect: { kind: 'chunk', uri, detail }, removes: uri, mend };
    }
    yield* keyFindings(memory, id);
  }
  yield* manifestFindings(memory);
}

function* keyFindings(memory: MockMemory, id: string): Generator<Finding> {
  const known = memory.documents.get(id);
  for (const { chunk, embeddingKey } of known?.passages ?? []) {
    if (embeddingKey === rightKey(chunk)) continue;
    yield {
      defect: {
        kind: 'chunk',
        uri: known?.document.uri ?? '',
        detail: `Chunk ${chunk.id} has the vector of another text.`,
      },
      mend: () => {
        const current = memory.documents.get(id);
        if (!current) return;
        const passages = current.passages.map((passage) => ({
          ...passage,
          embeddingKey: rightKey(passage.chunk),
        }));
        memory.documents.set(id, { ...current, passages });
      },
    };
  }
}

function* manifestFindings(memory: MockMemory): Generator<Finding> {
  const counts = new Map(
    [...memory.documents.values()].map(({ document, passages }) => [document.uri, passages.length]),
  );
  for (const entry of memory.manifest.values()) {
    const fault = manifestFault(entry, counts.get(entry.uri));
    if (!fault) continue;
    yield {
      defect: { ...fault, uri: entry.uri },
      mend: () => {
        if (fault.kind !== 'count') memory.manifest.delete(entry.uri);
        else if (memory.manifest.has(entry.uri)) {
          memory.manifest.set(entry.uri, { ...entry, chunks: counts.get(entry.uri) ?? 0 });
        }
      },
    };
  }
}
