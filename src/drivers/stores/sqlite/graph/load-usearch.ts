import { requireNative } from '../../../../platform/native-package.ts';

/** The part of a `usearch` index that is used here. */
export interface UsearchIndex {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  search(vector: Float32Array, count: number, threads: number): { readonly keys: BigUint64Array };
  size(): number;
  dimensions(): number;
  save(path: string): void;
  load(path: string): void;
  /** Maps the file into memory instead of reading it. */
  view(path: string): void;
}

/** Makes an empty index for vectors of this length. */
export type MakeIndex = (dimensions: number) => UsearchIndex;

interface UsearchPackage {
  readonly Index: new (options: Readonly<Record<string, unknown>>) => UsearchIndex;
}

// Edges a node, and how many candidates are weighed when a node is added and when one is sought. The distances in the
// graph are rough (bytes of the unit vector), because every candidate is scored again from the file.
const shape = {
  metric: 'cos',
  quantization: 'i8',
  connectivity: 16,
  expansion_add: 128,
  expansion_search: 64,
  multi: false,
};

/** The graph library, or undefined where there is no binary of it for this system. */
export function loadUsearch(
  load: () => UsearchPackage = () => requireNative('usearch'),
): MakeIndex | undefined {
  try {
    const { Index } = load();
    return (dimensions) => new Index({ ...shape, dimensions });
  } catch {
    // No binary, or one that this system cannot load: vectors are compared one by one.
    return undefined;
  }
}
