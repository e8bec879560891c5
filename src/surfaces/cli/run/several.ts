import { connect } from '../../../client/index.ts';
import type { ServerAddress } from '../../../client/server-address.ts';
import { QuarryError } from '../../../core/errors.ts';
import { inProject, isCitable, splitProject } from '../../../core/project-names.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { findProjectFolder, requireFolder } from '../../../state-folder/state-folder.ts';
import type { ProjectEntry } from '../../../user/project-entry.ts';
import type { CommandShape } from '../commands/command-shape.ts';
import type { ParsedCommand } from '../commands/parse-words.ts';

/** One of several projects that a command asks. */
export interface AskedProject extends ProjectEntry {
  readonly name: string;
}

/** A command to several projects of this machine. */
export interface SeveralCommand {
  readonly projects: readonly AskedProject[];
  readonly input: ParsedCommand['input'];
}

/** The folder of each project by its name: where links of an answer lead. */
export function foldersOf({ projects }: SeveralCommand): ReadonlyMap<string, string> {
  return new Map(projects.map(({ name, folder }) => [name, folder]));
}

/** The projects of this machine that a command asks at once; undefined where it is for one. */
export async function severalOnMachine(
  shape: CommandShape,
  { input, common }: ParsedCommand,
): Promise<SeveralCommand | undefined> {
  const { all, projects: asked } = common;
  const mayBeNamed = placesOf(shape, input).some(looksNamed);
  if (!all && asked.length === 0 && !mayBeNamed) return undefined;
  const { openUserProjects } = await import('../../../user/projects-file.ts');
  const { projectNames } = await import('../../../engine/project-address.ts');
  const registered = await openUserProjects(processEnvironment).read();
  const names = projectNames(registered, new Map());
  const known = registered.map((entry) => ({ ...entry, name: names.get(entry.id) ?? entry.id }));
  if (!all && asked.length === 0) return namedByPlaces(shape, input, known);
  refuseSettings(common);
  if (all && known.length === 0) throw noneKnown();
  return { projects: all ? known : await projectsNamed(asked, known), input };
}

/** The address of several projects on a server elsewhere; undefined where a command is for one. */
export async function severalOnServer(
  server: ServerAddress,
  shape: CommandShape,
  { input, common }: ParsedCommand,
): Promise<string | undefined> {
  const { all, projects: asked } = common;
  if (all) return '*';
  if (asked.some(isFolder))
    throw new QuarryError(
      'usage-invalid',
      'A server knows no folders of this machine.',
      'Name its projects.',
    );
  if (asked.length > 0) return asked.length === 1 ? `${asked[0]}=${asked[0]}` : asked.join(',');
  const places = placesOf(shape, input);
  if (!places.some(looksNamed)) return undefined;
  const { projects } = (await connect(server.url, server).request('GET', '/v1/projects')) as {
    projects: { id: string; name?: string }[];
  };
  const names = projects.map(({ id, name = id }) => name);
  return places.every((place) => splitProject(place, (name) => names.includes(name))) ? '*' : undefined;
}

function placesOf({ takesSeveral }: CommandShape, input: ParsedCommand['input']): string[] {
  const given = takesSeveral?.placesIn === undefined ? [] : input[takesSeveral.placesIn];
  return Array.isArray(given) ? given.map(String) : [];
}

function looksNamed(place: string): boolean {
  return splitProject(place, () => true) !== undefined;
}

/** Places of registered projects; one without a name before it is of the project here. */
async function namedByPlaces(
  shape: CommandShape,
  input: ParsedCommand['input'],
  known: readonly AskedProject[],
): Promise<SeveralCommand | undefined> {
  const places = placesOf(shape, input);
  const isName = (name: string) => known.some((project) => project.name === name);
  const named = places.map((place) => splitProject(place, isName)?.name);
  if (named.every((name) => name === undefined)) return undefined;
  const others = known.filter(({ name }) => named.includes(name));
  if (named.every((name) => name !== undefined)) return { projects: others, input };
  const [here] = await projectsNamed([await findProjectFolder('.')], known);
  if (!here) return undefined;
  const meant = places.map((place, at) => (named[at] === undefined ? inProject(here.name, place) : place));
  const projects = others.some(({ id }) => id === here.id) ? others : [...others, here];
  return { projects, input: { ...input, [shape.takesSeveral?.placesIn ?? '']: meant } };
}

/** Registered projects by name or id, and folders by their path. */
async function projectsNamed(
  asked: readonly string[],
  known: readonly AskedProject[],
): Promise<readonly AskedProject[]> {
  const { projectNames } = await import('../../../engine/project-address.ts');
  const { entryOfFolder } = await import('../../../user/project-entry.ts');
  const found: ProjectEntry[] = [];
  for (const wanted of asked) {
    if (isFolder(wanted)) {
      await requireFolder(wanted);
      const entry = entryOfFolder(wanted);
      found.push(known.find(({ folder }) => folder === entry.folder) ?? entry);
      continue;
    }
    const project = known.find(({ id }) => id === wanted) ?? known.find(({ name }) => name === wanted);
    if (!project) throw unknownName(wanted, known);
    found.push(project);
  }
  const names = projectNames([...known, ...found.filter(({ isRegistered }) => !isRegistered)], new Map());
  return [...new Map(found.map((entry) => [entry.folder, entry])).values()].map((entry) => ({
    ...entry,
    name: names.get(entry.id) ?? entry.id,
  }));
}

/** A name of a project holds no separator: `./api` is a folder. */
function isFolder(wanted: string): boolean {
  return !isCitable(wanted) && /[\\/]|^\.{1,2}$|^[a-z]:/i.test(wanted);
}

function refuseSettings({ settings, project }: ParsedCommand['common']): void {
  if (Object.keys(settings).length > 0)
    throw new QuarryError('usage-invalid', '--set is for one project.', 'Leave it out, or ask one project.');
  if (project !== undefined)
    throw new QuarryError(
      'usage-invalid',
      '--project names one project, and --projects or --all several.',
      'Write one of them.',
    );
}

function noneKnown(): QuarryError {
  return new QuarryError(
    'project-not-found',
    'No project has a name yet, so that there is nothing to ask.',
    'Give some: quarry projects add FOLDER …',
  );
}

function unknownName(wanted: string, known: readonly AskedProject[]): QuarryError {
  const names = known.map(({ name }) => name).join(', ');
  return new QuarryError(
    'project-not-found',
    `There is no project "${beginningOf(wanted, 80)}".`,
    `${names === '' ? '' : `There are: ${names}. `}Write a folder as ./FOLDER, or give it a name: quarry projects add FOLDER`,
  );
}
