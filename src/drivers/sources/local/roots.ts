import { lstat, stat } from 'node:fs/promises';
import { basename, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { asQuarryError, messageOf, QuarryError } from '../../../core/errors.ts';
import { isInside } from '../../../platform/contained-path.ts';
import { realPath } from '../../../platform/real-path.ts';

/** A folder that is walked, with links resolved. */
export interface ResolvedRoot {
  readonly folder: string;
  /** What the uris of its files start with: empty, or ending in a slash. */
  readonly prefix: string;
  /** The folder whose ignore files are the outermost to apply where no git repository encloses the root. */
  readonly rulesFrom: string;
  /** Why it cannot be read now: its files are neither found nor deleted. */
  readonly missing?: QuarryError;
}

/**
 * Resolves the configured roots. The project folder must exist, and so must a root that is the only one. Another root that
 * is missing stays in the list, because its files would seem deleted otherwise.
 */
export async function resolveRoots(project: string, roots: readonly string[]): Promise<ResolvedRoot[]> {
  const projectFolder = await realFolder(project);
  const resolved = new Map<string, ResolvedRoot>();
  // A missing root inside the project still has its name.
  const taken = new Set(roots.flatMap((root) => firstNameInside(project, resolve(project, root))));
  for (const root of roots) {
    const named = resolve(project, root);
    const found = await realFolder(named).catch(asQuarryError);
    const missing = found instanceof QuarryError ? found : undefined;
    if (missing && roots.length === 1) throw missing;
    const folder = found instanceof QuarryError ? resolve(projectFolder, relative(project, named)) : found;
    if (resolved.has(folder)) continue;
    const about = missing ? { folder, missing } : { folder };
    if (isInside(projectFolder, folder)) {
      const way = relative(projectFolder, folder).split(sep).join('/');
      const prefix = way === '' ? '' : `${way}/`;
      resolved.set(folder, { ...about, prefix, rulesFrom: missing ? folder : projectFolder });
    } else if (isAbsolute(root) && !isInside(project, named)) {
      const prefix = `${await freeName(projectFolder, basename(root) || 'root', taken)}/`;
      resolved.set(folder, { ...about, prefix, rulesFrom: folder });
    } else throw rootOutside(root, project);
  }
  return withoutNested([...resolved.values()], projectFolder);
}

/** The root in which a file with this uri would lie: the innermost whose prefix fits. */
export function rootOf(roots: readonly ResolvedRoot[], uri: string): ResolvedRoot | undefined {
  let innermost: ResolvedRoot | undefined;
  for (const root of roots) {
    const isInner = innermost === undefined || root.prefix.length > innermost.prefix.length;
    if (isInner && uri.startsWith(root.prefix)) innermost = root;
  }
  return innermost;
}

/** A root below another one of the same project has the same uris there, so the outer one covers it. */
function withoutNested(roots: ResolvedRoot[], project: string): ResolvedRoot[] {
  // A missing root was configured too, and must be reported.
  const own = roots.filter((root) => !root.missing && isInside(project, root.folder));
  return roots.filter(
    (root) =>
      !own.some((outer) => outer !== root && own.includes(root) && isInside(outer.folder, root.folder)),
  );
}

/** The first part of the way from the project to a folder in it. */
function firstNameInside(project: string, folder: string): string[] {
  const [name = ''] = relative(project, folder).split(sep);
  return name === '' || !isInside(project, folder) ? [] : [name.toLowerCase()];
}

/** An extra root goes by its own name, or by a numbered one where the project or another root has that name. */
async function freeName(project: string, name: string, taken: Set<string>): Promise<string> {
  for (let number = 1; ; number++) {
    const candidate = number === 1 ? name : `${name}-${number}`;
    const key = candidate.toLowerCase();
    // What cannot be looked at takes no name.
    if (taken.has(key) || (await lstat(join(project, candidate)).catch(() => undefined))) continue;
    taken.add(key);
    return candidate;
  }
}

async function realFolder(path: string): Promise<string> {
  try {
    const real = await realPath(path);
    if ((await stat(real)).isDirectory()) return real;
  } catch (thrown) {
    throw noFolder(path, messageOf(thrown), thrown);
  }
  throw noFolder(path, 'it is not a folder');
}

function noFolder(path: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'project-not-found',
    `Cannot use ${path} as a root: ${why}.`,
    'Create the folder, mount its drive, or remove it from the roots.',
    { cause },
  );
}

function rootOutside(root: string, project: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The root ${root} leads out of the project folder ${project}.`,
    'Name a folder inside the project, or give the absolute path of the other one.',
  );
}
