import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { z } from 'zod';
import type { Driver, DriverContext } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Generator } from '../contracts/generator.ts';
import type { LeaseRecord } from '../contracts/leases.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { OutsideSearcher } from '../contracts/searcher.ts';
import type { Store, StoreIndexes } from '../contracts/store.ts';
import type { VectorEngine } from '../contracts/vector-engine.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { embedders, generators, rerankers, searchers, stores, vectorEngines } from '../drivers/manifest.ts';
import type { Table } from '../index/vector-marks.ts';
import { closeAll } from '../platform/close-all.ts';
import type { EmbedderSettings } from '../settings/embedder-settings.ts';
import type { Settings } from '../settings/settings.ts';

/** Opens an embedder as a table of the settings describes it. */
export async function openEmbedder(
  { driver: name, ...given }: EmbedderSettings,
  context: DriverContext,
  place = 'embedder',
): Promise<Embedder> {
  const { driver, options } = await findDriver('embedder', place, embedders, name, given);
  return driver.open(options, context);
}

/** Fails where an embedder of the settings would not take what its table says; nothing is opened. */
export async function checkEmbedders({ embedder, embedders: further }: Settings): Promise<void> {
  const { fallback: _, ...inUse } = embedder;
  const tables = Object.entries(further).map(([name, table]) => [`embedders.${name}`, table] as const);
  for (const [place, { driver: name, ...given }] of [['embedder', inUse] as const, ...tables])
    await findDriver('embedder', place, embedders, name, given);
}

/** Opens the reranker of this name. */
export async function openReranker(
  name: string,
  given: Readonly<Record<string, unknown>>,
  context: DriverContext,
): Promise<Reranker> {
  const { driver, options } = await findDriver('reranker', 'reranker', rerankers, name, given);
  return driver.open(options, context);
}

/** Opens the generator of this name. */
export async function openGenerator(
  name: string,
  given: Readonly<Record<string, unknown>>,
  context: DriverContext,
): Promise<Generator> {
  const { driver, options } = await findDriver('generator', 'generator', generators, name, given);
  return driver.open(options, context);
}

/** Opens the store that the settings name. */
export async function openStore(settings: Settings, context: DriverContext): Promise<Store> {
  const parts = await openWithEngine(settings, context);
  if (parts) {
    const { withVectorEngine } = await import('../index/with-vector-engine.ts');
    return withVectorEngine(parts.table, parts.engine, context.stateFolder);
  }
  const { driver, options } = await findStore(settings);
  return driver.open(options, context);
}

/** Removes what an index keeps outside of its folder, where the store does that; the folder itself is left to the caller. */
export async function dropOutside(settings: Settings, context: DriverContext): Promise<void> {
  if (!isVectorEngine(settings) || !existsSync(tablePath(context))) return;
  const parts = await openWithEngine(settings, context).catch((thrown: unknown) => {
    // One that cannot be opened does not say what it keeps elsewhere.
    if (asQuarryError(thrown).code.startsWith('store-')) return undefined;
    throw thrown;
  });
  if (!parts) return;
  const { dropVectors } = await import('../index/vector-marks.ts');
  try {
    await dropVectors(parts.table, parts.engine, context.stateFolder);
  } finally {
    await closeAll([parts.table, parts.engine]);
  }
}

/** The index in SQLite and the engine beside it that keeps its vectors; undefined where the store keeps both. */
async function openWithEngine(
  settings: Settings,
  context: DriverContext,
): Promise<{ readonly table: Table; readonly engine: VectorEngine } | undefined> {
  if (!isVectorEngine(settings)) return undefined;
  const name = settings.store.driver;
  const found = await findDriver('store', 'store', vectorEngines, name, storeOptions(settings));
  // Not the file of an index that has its vectors itself: one may take the place of the other at any time.
  const own = await findDriver('store', 'store', stores, 'sqlite', { path: tablePath(context) });
  const engine = await found.driver.open(found.options, context);
  try {
    // SQLite offers every capability.
    return { engine, table: (await own.driver.open(own.options, context)) as Table };
  } catch (thrown) {
    await engine.close();
    throw thrown;
  }
}

function tablePath({ stateFolder }: DriverContext): string {
  return join(stateFolder, 'text.sqlite');
}

/** Whether the store keeps the leases of its writers itself. */
export async function hasOwnLeases(settings: Settings): Promise<boolean> {
  return (await findStore(settings)).driver.lease !== undefined;
}

/** The record of the lease of this name; a file in the state folder where the store keeps none. */
export async function openLease(
  settings: Settings,
  context: DriverContext,
  name: string,
  prepare: () => Promise<void>,
): Promise<LeaseRecord> {
  const { driver, options } = await findStore(settings);
  if (driver.lease) return driver.lease(options, context, name);
  const { fileLease } = await import('../drivers/stores/leases.ts');
  return fileLease(join(context.stateFolder, name), prepare);
}

/** The list of indexes that the store keeps, where it does. */
export async function indexesOfStore(
  settings: Settings,
  context: DriverContext,
): Promise<StoreIndexes | undefined> {
  const { driver, options } = await findStore(settings);
  return driver.indexes?.(options, context);
}

/** The folder of an index of the store, where it is not the one in the state folder. */
export async function folderOfIndex(
  settings: Settings,
  context: DriverContext,
  name: string,
): Promise<string | undefined> {
  const { driver, options } = await findStore(settings);
  return driver.indexFolder?.(options, context, name);
}

/** Opens what answers searches beside the index. */
export async function openSearcher(
  name: string,
  given: Readonly<Record<string, unknown>>,
  context: DriverContext,
): Promise<OutsideSearcher> {
  const { driver, options } = await findDriver('searcher', 'store', searchers, name, given);
  return driver.open(options, context);
}

/** Whether the index is kept in the project's own folder or in memory, where no address leads to it. */
export function isLocalStore({ store: { driver } }: Settings): boolean {
  return ['sqlite', 'memory', 'mock'].includes(indexDriver(driver));
}

/** Whether the store is an engine that keeps the vectors of an index of our own. */
export function isVectorEngine({ store: { driver } }: Settings): boolean {
  return Object.hasOwn(vectorEngines, driver);
}

/** The driver that keeps the index: a searcher or a keeper of vectors stands beside an index of our own. */
function indexDriver(driver: string): string {
  return Object.hasOwn(searchers, driver) || Object.hasOwn(vectorEngines, driver) ? 'sqlite' : driver;
}

function findStore(settings: Settings) {
  // The local ones have no address; settings for a server may stand beside them.
  const given = isLocalStore(settings) ? {} : storeOptions(settings);
  const names = Object.keys({ ...stores, ...vectorEngines });
  return findDriver('store', 'store', stores, indexDriver(settings.store.driver), given, names);
}

function storeOptions({ store }: Settings): Readonly<Record<string, unknown>> {
  const { driver, mcp: _, chroma, ...given } = store;
  return driver === 'chroma' ? { ...given, ...chroma } : given;
}

/** The driver that a setting names, with its options checked; errors list what there is. */
async function findDriver<Instance>(
  kind: string,
  place: string,
  table: Readonly<Record<string, () => Promise<{ default: Driver<Instance> }>>>,
  name: string,
  given: Readonly<Record<string, unknown>>,
  names: readonly string[] = Object.keys(table),
): Promise<{ driver: Driver<Instance>; options: unknown }> {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!load) {
    throw new QuarryError(
      'config-invalid',
      `There is no ${kind} named "${name}".`,
      `Set ${place}.driver to one of: ${names.join(', ')}.`,
    );
  }
  const { default: driver } = await load();
  const present = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const parsed = driver.options.safeParse(present);
  if (parsed.success) return { driver, options: parsed.data };
  const missing = parsed.error.issues
    .map(({ path: [key] }) => String(key ?? ''))
    .filter((key) => key !== '' && !Object.hasOwn(present, key));
  throw missing.length > 0
    ? new QuarryError(
        'config-invalid',
        `[${place}] with the driver "${name}" lacks ${missing.join(' and ')}.`,
        `Set ${missing.map((key) => `${place}.${key}`).join(' and ')}, or choose another driver.`,
      )
    : new QuarryError(
        'config-invalid',
        `[${place}] with the driver "${name}" does not take these settings: ${problems(parsed.error)}.`,
        `Remove them from the table [${place}] or choose another driver.`,
      );
}

function problems(error: z.ZodError): string {
  return error.issues
    .map((issue) => [issue.path.join('.'), issue.message.toLowerCase()].filter(Boolean).join(': '))
    .join('; ');
}
