import { QuarryError } from '../../../core/errors.ts';
import { isCitable } from '../../../core/project-names.ts';
import type { Engine, KnownProject } from '../../../engine/engine.ts';
import type { Grant } from '../../../engine/grants.ts';
import { type Addressed, severalIn } from '../../../engine/project-address.ts';
import type { Scope } from '../../../operations/permission.ts';
import { projectUnknown } from '../../../user/project-entry.ts';
import { notAllowed, type RequestOf } from './request-context.ts';

/** Projects that one address may name. */
const maxProjects = 200;

/** The one project that an address names by id or name, where the caller may do this to it. */
export function projectIn(
  c: RequestOf,
  engine: Engine,
  scope: Scope,
  address: string,
): Promise<KnownProject> {
  return allowedProject(engine, c.get('grant'), scope, address);
}

/**
 * The projects that an address means where it names several, each one that the caller may ask: `*` is all of these, and
 * naming another one is refused. Undefined where the address names one.
 */
export async function projectsIn(
  engine: Engine,
  grant: Grant,
  address: string,
): Promise<readonly KnownProject[] | undefined> {
  const several = severalIn(address);
  if (several === undefined) return undefined;
  if (several === '*') return (await engine.projects()).filter(({ id }) => grant.allows('project:read', id));
  if (several.length > maxProjects)
    throw new QuarryError(
      'usage-invalid',
      `${several.length} projects are named; the most is ${maxProjects}.`,
      'Name fewer.',
    );
  // The list is read once, however many are named.
  const listed = await engine.projects();
  const named = several.map(({ id, name }: Addressed) => {
    const project = listed.find((each) => each.id === id) ?? listed.find((each) => each.name === id);
    if (!grant.allows('project:read', project?.id ?? id)) throw notAllowed(grant.name, 'project:read', id);
    if (!project) throw projectUnknown(id);
    return name === undefined || !isCitable(name) ? project : { ...project, name };
  });
  const distinct = [...new Map(named.map((project) => [project.id, project])).values()];
  if (new Set(distinct.map(({ name }) => name)).size === distinct.length) return distinct;
  throw new QuarryError('usage-invalid', 'Two projects have one name.', 'Name each differently.');
}

/** What a caller may do is asked of the id: a name that a folder happens to have opens nothing. */
async function allowedProject(
  engine: Engine,
  grant: Grant,
  scope: Scope,
  address: string,
): Promise<KnownProject> {
  const known = await engine.named(address);
  // Whether there is such a project is nothing for those who may not see it.
  if (!grant.allows(scope, known?.id ?? address)) throw notAllowed(grant.name, scope, address);
  if (!known) throw projectUnknown(address);
  return known;
}
