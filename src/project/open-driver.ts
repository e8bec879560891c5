import type { z } from 'zod';
import type { Driver, DriverContext } from '../contracts/driver.ts';
import { QuarryError } from '../core/errors.ts';

/** Opens the driver that a setting names; an unknown name or option is an error that lists what there is. */
export async function openDriver<Instance>(
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
