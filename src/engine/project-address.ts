import { distinctNames } from '../client/distinct-names.ts';
import { projectNameOf } from '../client/server-address.ts';
import { QuarryError } from '../core/errors.ts';
import { citableName, splitProject } from '../core/project-names.ts';
import { beginningOf } from '../core/text/shortened.ts';
import type { Operation } from '../operations/operation.ts';
import type { ProjectEntry } from '../user/project-entry.ts';

/** Stands for every project that the caller may see. */
const all = '*';

/** A project of an address, and what it shall be called in the answer where the caller says so. */
export interface Addressed {
  /** An id, or a name. */
  readonly id: string;
  readonly name?: string;
}

/** The projects of an address that means several (`api,web`, `home=folder-1f0a`, `*`); undefined where it names one. */
export function severalIn(address: string): readonly Addressed[] | typeof all | undefined {
  if (address === all) return all;
  if (!/[,=]/.test(address)) return undefined;
  return address
    .split(',')
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      return at < 0 ? { id: part } : { id: part.slice(at + 1), name: part.slice(0, at) };
    });
}

/**
 * Names for people, one for each project: its id where somebody chose that, else that of its folder, with as many of the
 * folders around it as it takes. Those in `given` stay.
 */
export function projectNames(
  entries: readonly ProjectEntry[],
  given: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const ids = new Set(entries.map(({ id }) => id));
  for (const { id, isRegistered } of entries) {
    if (!isRegistered) continue;
    let name = citableName(id);
    for (let next = 2; name !== id && ids.has(name); next += 1) name = `${citableName(id)}-${next}`;
    names.set(id, name);
  }
  const others = entries.filter(({ isRegistered }) => !isRegistered);
  const taken = new Set(names.values());
  const byFolder = distinctNames(
    others.map(({ folder }) => folder),
    {
      given: new Map(
        others.flatMap(({ id, folder }) => {
          const name = given.get(id);
          return name === undefined || taken.has(name) ? [] : [[folder, name] as const];
        }),
      ),
      taken: [...taken],
      nameOf: (end) => citableName(projectNameOf(end.replaceAll(/[\\/]/g, '-'))),
      otherwise: (folder) => others.find((entry) => entry.folder === folder)?.id ?? folder,
    },
  );
  for (const { id, folder } of others) names.set(id, byFolder.get(folder) ?? id);
  return names;
}

/** Of the projects that are asked those that the places of an input begin with; all where it has none. */
export function namedPlaces<Project extends { readonly name: string }>(
  { takesSeveral }: Pick<Operation, 'takesSeveral'>,
  input: Readonly<Record<string, unknown>>,
  projects: readonly Project[],
): readonly Project[] {
  const field = takesSeveral?.placesIn;
  if (field === undefined) return projects;
  const given = Array.isArray(input[field]) ? (input[field] as unknown[]).map(String) : [];
  const texts = typeof input.path === 'string' ? [...given, input.path] : given;
  const isName = (name: string): boolean => projects.some((project) => project.name === name);
  const named = new Set(texts.map((text) => splitProject(text, isName)?.name));
  const meant = projects.filter(({ name }) => named.has(name));
  if (meant.length > 0) return meant;
  throw new QuarryError(
    'document-not-found',
    `No place begins with the name of a project: ${beginningOf(texts.join(', '), 200) || 'none is named'}.`,
    `Write PROJECT:PLACE, with one of: ${projects.map(({ name }) => name).join(', ')}.`,
  );
}

/** The projects, where an operation can be asked of several. */
export function requireSeveral<Project>(
  { name, takesSeveral }: Pick<Operation, 'name' | 'takesSeveral'>,
  projects: readonly Project[],
): readonly Project[] {
  if (!takesSeveral)
    throw new QuarryError(
      'usage-invalid',
      `"${name}" works with one project at a time.`,
      'Name one project.',
    );
  if (projects.length > 0) return projects;
  throw new QuarryError(
    'project-not-found',
    'There is no project here.',
    'Register one: quarry projects add FOLDER',
  );
}
