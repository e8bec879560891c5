import type { z } from 'zod';
import type { Driver, DriverContext } from '../contracts/driver.ts';
import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';
import { QuarryError } from '../core/errors.ts';
import { embedders, stores } from '../drivers/manifest.ts';
import type { Settings } from './settings.ts';

/** Opens the embedder that the settings name. */
export function openEmbedder(settings: Settings, context: DriverContext): Promise<Embedder> {
  const { driver, ...options } = settings.embedder;
  return openDriver('embedder', embedders, driver, options, context);
}

/** Opens the store that the settings name; the local ones take no address. */
export function openStore(settings: Settings, context: DriverContext): Promise<Store> {
  const { driver, ...options } = settings.store;
  const isLocal = driver === 'sqlite' || driver === 'mock';
  return openDriver('store', stores, driver, isLocal ? {} : options, context);
}

/** Opens the driver that a setting names; an unknown name or option is an error that lists what there is. */
async function openDriver<Instance>(
  kind: string,
  table: Readonly<Record<string, () => Promise<{ default: Driver<Instance> }>>>,
  name: string,
  options: Readonly<Record<string, unknown>>,
  context: DriverContext,
): Promise<Instance> {
  const load = Object.hasOwn(table, name) ? table[name] : undefined;
  if (!load) {
    throw new QuarryError(
      'driver-unknown',
      `There is no ${kind} named "${name}".`,
      `Set ${kind}.driver to one of: ${Object.keys(table).join(', ')}.`,
    );
  }
  const { default: driver } = await load();
  const given = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined));
  const parsed = driver.options.safeParse(given);
  if (parsed.success) return driver.open(parsed.data, context);
  throw new QuarryError(
    'config-invalid',
    `The ${kind} "${name}" does not take these settings: ${problems(parsed.error)}.`,
    `Remove them from the [${kind}] table or choose another driver.`,
  );
}

function problems(error: z.ZodError): string {
  return error.issues
    .map((issue) => [issue.path.join('.'), issue.message.toLowerCase()].filter(Boolean).join(': '))
    .join('; ');
}
