import type { z } from 'zod';
import type { Driver, DriverContext } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Generator } from '../contracts/generator.ts';
import type { Reranker } from '../contracts/reranker.ts';
import type { OutsideSearcher } from '../contracts/searcher.ts';
import type { Store, StoreIndexes, StoreLocks } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { embedders, generators, rerankers, searchers, stores } from '../drivers/manifest.ts';
import type { EmbedderSettings } from './settings/embedder-settings.ts';
import type { Settings } from './settings/settings.ts';

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
  const { driver, options } = await findStore(settings);
  return driver.open(options, context);
}

/** The locks that the store brings, where it does. */
export async function locksOfStore(
  settings: Settings,
  context: DriverContext,
): Promise<StoreLocks | undefined> {
  const { driver, options } = await findStore(settings);
  return driver.locks?.(options, context);
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

/** The driver that keeps the index: a searcher stands beside an index of our own. */
function indexDriver(driver: string): string {
  return Object.hasOwn(searchers, driver) ? 'sqlite' : driver;
}

function findStore(settings: Settings) {
  const {
    driver,
    mcp_server: _server,
    mcp_tool: _tool,
    mcp_arguments: _arguments,
    mcp_result: _result,
    ...given
  } = settings.store;
  // The local ones have no address; settings for a server may stand beside them.
  return findDriver('store', 'store', stores, indexDriver(driver), isLocalStore(settings) ? {} : given);
}

/** The driver that a setting names, with its options checked; errors list what there is. */
async function findDriver<Instance>(
  kind: string,
  place: string,
  table: Readonly<Record<string, () => Promise<{ default: Driver<Instance> }>>>,
  name: string,
  given: Readonly<Record<string, unknown>>,
): Promise<{ driver: Driver<Instance>; options: unknown }> {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!load) {
    throw new QuarryError(
      'driver-unknown',
      `There is no ${kind} named "${name}".`,
      `Set ${place}.driver to one of: ${Object.keys(table).join(', ')}.`,
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
