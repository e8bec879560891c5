import { resolve } from 'node:path';
import { readTrusts } from '../user/trust-record.ts';

type Layer<Value> = ReadonlyMap<string, Value>;
interface Written {
  readonly value: unknown;
}

/** Something in a project's file that lowers the protection of its user. */
interface Lowering {
  /** As it is shown and trusted: the key and what it says. */
  readonly setting: string;
  readonly key: string;
  /** What counts without the user's agreement; undefined for what the layers below say. */
  readonly instead?: (value: readonly string[]) => readonly string[];
}

/** The settings of a project's file that lower protection, as they are trusted; those that do not count; and what counts. */
export interface ProtectedLayer<Value> {
  readonly lowered: readonly string[];
  readonly untrusted: readonly string[];
  readonly layer: Layer<Value>;
}

/** What the file of a project says as it counts: what lowers protection does so once the user has agreed to it as it is. */
export async function protectedLayer<Value extends Written>(
  project: Layer<Value>,
  user: Layer<Value>,
  { configFolder, folder }: { readonly configFolder: string; readonly folder: string },
): Promise<ProtectedLayer<Value>> {
  const lowerings = await loweringsOf(project, user);
  const lowered = lowerings.map(({ setting }) => setting);
  if (lowerings.length === 0) return { lowered, untrusted: [], layer: project };
  const trusts = await readTrusts(configFolder);
  const agreed = trusts.find((trust) => trust.project === resolve(folder))?.settings ?? [];
  const layer = new Map(project);
  const refused = lowerings.filter(({ setting }) => !agreed.includes(setting));
  for (const { key, instead } of refused) {
    const written = layer.get(key);
    if (written && instead)
      layer.set(key, { ...written, value: instead(written.value as readonly string[]) });
    else layer.delete(key);
  }
  return { lowered, untrusted: refused.map(({ setting }) => setting), layer };
}

async function loweringsOf(project: Layer<Written>, user: Layer<Written>): Promise<Lowering[]> {
  const lowerings: Lowering[] = [];
  if (project.get('index.redact_secrets')?.value === false)
    lowerings.push({ setting: 'index.redact_secrets = false', key: 'index.redact_secrets' });
  const commits = project.get('history.commits')?.value;
  if (typeof commits === 'number' && commits > 0)
    lowerings.push({ setting: `history.commits = ${commits}`, key: 'history.commits' });
  const key = 'index.exclude';
  const exclude = project.get(key)?.value as readonly string[] | undefined;
  if (!exclude) return lowerings;
  for (const pattern of new Set(await patternsForSecrets(exclude)))
    lowerings.push({
      setting: `${key} with ${JSON.stringify(pattern)}`,
      key,
      instead: (list) => list.filter((other) => other !== pattern),
    });
  // A list takes the place of the one below it, but what the user leaves out everywhere is left out.
  for (const pattern of (user.get(key)?.value ?? []) as readonly string[])
    if (!exclude.includes(pattern))
      lowerings.push({
        setting: `${key} without ${JSON.stringify(pattern)}`,
        key,
        instead: (list) => [...list, pattern],
      });
  return lowerings;
}

/** The patterns that bring in files which are left out because they hold secrets. */
async function patternsForSecrets(exclude: readonly string[]): Promise<string[]> {
  if (!exclude.some((pattern) => pattern.startsWith('!'))) return [];
  const { parseIgnorePatterns } = await import('../drivers/sources/local/rules/ignore-rules.ts');
  const { namesSecret } = await import('../drivers/sources/local/rules/default-skip-index.ts');
  return exclude.filter((pattern) =>
    parseIgnorePatterns([pattern], '').some((rule) => rule.negated && namesSecret(rule.pattern)),
  );
}
