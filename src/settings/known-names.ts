import { QuarryError } from '../core/errors.ts';
import {
  chunkers,
  embedders,
  generators,
  rerankers,
  searchers,
  stores,
  vectorEngines,
} from '../drivers/manifest.ts';
import type { Settings } from './settings.ts';

/** A setting that names a part of the program: the name, where it stands, and what there is. */
interface Naming {
  readonly key: string;
  readonly what: string;
  readonly name: string | undefined;
  readonly known: readonly string[];
}

/** Fails on the first setting that names a driver or chunker that does not exist; `placeOf` says where a key was set. */
export function checkNames(settings: Settings, placeOf: (key: string) => string): void {
  const unknown = namings(settings).find(({ name, known }) => name !== undefined && !known.includes(name));
  if (!unknown) return;
  const { key, what, name, known } = unknown;
  throw new QuarryError(
    'config-invalid',
    `${placeOf(key)} sets ${key}, but there is no ${what} named "${name}".`,
    `Use one of: ${known.join(', ')}.`,
  );
}

function namings({
  embedder,
  embedders: further,
  reranker,
  generator,
  store,
  chunkers: chosen,
}: Settings): Naming[] {
  const makers = Object.keys(embedders);
  const maker = (key: string, name: string | undefined): Naming => ({
    key,
    what: 'embedder',
    name,
    known: makers,
  });
  return [
    maker('embedder.driver', embedder.driver),
    { ...maker('embedder.fallback', embedder.fallback), known: [...makers, ...Object.keys(further)] },
    ...Object.entries(further).map(([name, { driver }]) => maker(`embedders.${name}`, driver)),
    {
      key: 'reranker.driver',
      what: 'reranker',
      name: reranker.driver,
      known: ['auto', 'none', ...Object.keys(rerankers)],
    },
    {
      key: 'generator.driver',
      what: 'generator',
      name: generator.driver,
      known: ['auto', 'none', ...Object.keys(generators)],
    },
    {
      key: 'store.driver',
      what: 'store',
      name: store.driver,
      known: Object.keys({ ...stores, ...vectorEngines, ...searchers }),
    },
    ...Object.keys(chosen).map((name) => ({
      key: `chunkers.${name}`,
      what: 'chunker',
      name,
      known: Object.keys(chunkers),
    })),
  ];
}
