import { QuarryError } from '../../core/errors.ts';
import { inProject, splitProject } from '../../core/project-names.ts';
import { neutraliseLine } from '../../core/text/neutralise.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { projectNames } from '../../engine/project-address.ts';
import { loadOperation } from '../../operations/catalogue.ts';
import type { Host, OfferedProject } from './host.ts';
import type { McpTool } from './tool.ts';
import { entryOf } from './tools.ts';

/** What a call asks: the project, or several as one, found when it is asked for, and its input. */
export interface Asked {
  readonly project: () => Promise<OfferedProject>;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * What a call means: `all`, several names with commas between them, or places that begin with the name of a project, where
 * the tool takes that; else one project.
 */
export async function findAsked(
  tool: McpTool,
  named: string | undefined,
  input: Readonly<Record<string, unknown>>,
  host: Host,
  signal: AbortSignal,
): Promise<Asked> {
  const one: Asked = { project: () => findProject(host, named, signal), input };
  const places = (Array.isArray(input.places) ? input.places : []).map(String);
  const isPlain = named === undefined || !/^all$|,/.test(named);
  if (isPlain && !places.some((place) => splitProject(place, () => true))) return one;
  const offered = withCitableNames(await host.projects(signal));
  if (!isPlain && !offered.some(({ name }) => name === named)) {
    const meant =
      named === 'all'
        ? offered
        : await Promise.all(
            named.split(',').map(async (name) => {
              const { id } = await findProject(host, name.trim(), signal);
              return offered.find((project) => project.id === id);
            }),
          );
    const { takesSeveral } = await loadOperation(entryOf(tool));
    if (!takesSeveral)
      throw new QuarryError('usage-invalid', `${tool.name} is for one project.`, 'Name one as project.');
    return { ...one, project: async () => together(meant.filter((project) => project !== undefined)) };
  }
  const isName = (name: string): boolean => offered.some(({ cited }) => cited === name);
  if (!places.some((place) => splitProject(place, isName))) return one;
  // Without a project of the caller's own, places without a name stay as they are.
  const here = await findProject(host, named, signal).catch(() => undefined);
  const own = offered.find(({ id }) => id === here?.id);
  const meant = places.map((place) =>
    splitProject(place, isName) || !own ? place : inProject(own.cited ?? own.name, place),
  );
  return { project: async () => together(offered), input: { ...input, places: meant } };
}

/** Each project with a name that may stand before a place. */
function withCitableNames(projects: readonly OfferedProject[]): OfferedProject[] {
  const names = projectNames(
    projects.map(({ id, name, folder }) => ({
      id: folder === undefined ? name : id,
      folder: folder ?? name,
      files: 'local',
      isRegistered: folder === undefined,
    })),
    new Map(),
  );
  return projects.map((project) => ({
    ...project,
    cited: names.get(project.folder === undefined ? project.name : project.id) ?? project.name,
  }));
}

function together(members: readonly OfferedProject[]): OfferedProject {
  if (members.length === 0) throw noProject();
  return {
    name: members.map(({ name }) => name).join(','),
    id: members.map(({ id, cited }) => `${cited}=${id}`).join(','),
    members,
  };
}

/**
 * The project that is named; without a name the folder that is open here, or the only one: nothing else can be reached.
 */
export async function findProject(
  host: Host,
  named: string | undefined,
  signal?: AbortSignal,
): Promise<OfferedProject> {
  const projects = await host.projects(signal);
  const names = projects.map(({ name }) => name).join(', ');
  if (named === undefined) {
    const open = projects.filter(({ folder }) => folder !== undefined);
    const [only, ...others] = open.length > 0 ? open : projects;
    if (only && others.length === 0) return only;
    throw only
      ? new QuarryError('usage-invalid', 'There are several projects.', `Name one as project: ${names}.`)
      : noProject();
  }
  // Names are shown cleaned, and accepted as they are shown.
  const found =
    projects.find(({ id }) => id === named) ??
    projects.find(({ name, folder }) => [name, neutraliseLine(name), folder].includes(named));
  if (found) return found;
  // A name that a folder has without others of its name beside it.
  const meant = projects.filter(({ folder = '' }) => folder.split(/[\\/]/).at(-1) === named);
  const [only, ...others] = meant;
  if (only && others.length === 0) return only;
  if (only)
    throw new QuarryError(
      'usage-invalid',
      `Several folders are called ${JSON.stringify(beginningOf(named, 100))}.`,
      `Name one of: ${meant.map(({ name }) => name).join(', ')}.`,
    );
  throw new QuarryError(
    'project-not-found',
    `There is no project ${JSON.stringify(beginningOf(named, 100))} here.`,
    names === '' ? noProject().remedy : `Name one of: ${names}.`,
  );
}

function noProject(): QuarryError {
  return new QuarryError(
    'project-not-found',
    'No project is offered here.',
    'Start the server in a project folder, or as: quarry mcp --project FOLDER.',
  );
}
