import { resolve } from 'node:path';
import { readTrusts } from '../trust-record.ts';

/** Settings with which a project's file would lower the protection of its user, and the value that does. */
const lowering: ReadonlyMap<string, unknown> = new Map([['index.redact_secrets', false]]);

/** The settings of a project's file that lower protection, as they are trusted: key and value. */
export function loweredBy(values: ReadonlyMap<string, { readonly value: unknown }>): string[] {
  return [...lowering]
    .filter(([key, value]) => values.get(key)?.value === value)
    .map(([key, value]) => `${key} = ${JSON.stringify(value)}`);
}

/**
 * What the file of a project says as it counts: a setting that lowers protection is left out until the user has agreed to
 * it as it is. Returns those that were left out.
 */
export async function withoutUntrusted(
  layer: Map<string, { readonly value: unknown }>,
  configFolder: string,
  folder: string,
): Promise<string[]> {
  const lowered = loweredBy(layer);
  if (lowered.length === 0) return [];
  const trusts = await readTrusts(configFolder);
  const agreed = trusts.find(({ project }) => project === resolve(folder))?.settings ?? [];
  const untrusted = lowered.filter((setting) => !agreed.includes(setting));
  for (const setting of untrusted) layer.delete(setting.split(' = ')[0] ?? '');
  return untrusted;
}
