import { homedir } from 'node:os';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { processEnvironment } from '../platform/environment.ts';
import { type Agent, agents, type InstallPlace, type InstallScope } from './agents.ts';
import { type Installed, install, isFound, uninstall } from './install.ts';
import { realFile } from './own-text.ts';
import { type Part, type Piece, piecesOf } from './pieces.ts';
import { recordOfInstalls } from './record.ts';

/** What is asked for. */
export interface Asked {
  /** Names of agents; empty for all that are found, or were set up. */
  readonly wanted: readonly string[];
  readonly place: InstallPlace;
  readonly dryRun: boolean;
}

/** This machine, for a project. */
export function placeOf(folder: string): InstallPlace {
  return {
    platform: process.platform,
    home: processEnvironment('HOME') ?? homedir(),
    folder,
    environment: processEnvironment,
  };
}

/** Sets up these agents, or those that are found on this machine. */
export async function installIn(
  asked: Asked & { readonly parts: readonly Part[]; readonly scope: InstallScope },
): Promise<Installed[]> {
  const { parts, scope, place, dryRun } = asked;
  const results: Installed[] = [];
  for (const pieces of await chooseAgents(asked, scope))
    for (const piece of pieces.filter(({ part }) => parts.includes(part)))
      results.push(await tried(piece, () => install(piece, { scope, place, dryRun })));
  return unlessAllFailed(results);
}

/** Takes out what was set up for these agents, or for all: in files of one scope, or of both. */
export async function uninstallFrom(
  asked: Asked & { readonly scope: InstallScope | undefined },
): Promise<Installed[]> {
  const { wanted, place, dryRun } = asked;
  const noted = new Set((await recordOfInstalls().read()).map(({ file, part }) => `${part} ${file}`));
  const results: Installed[] = [];
  for (const scope of asked.scope ? [asked.scope] : (['user', 'project'] as const))
    for (const agent of chosen(wanted))
      for (const piece of piecesOf(agent, scope, place)) {
        const done = await tried(piece, async () => {
          const isNoted = noted.has(`${piece.part} ${await realFile(piece.file, scope, place.folder)}`);
          // What others share in a project is theirs, unless it is asked for.
          if (!isNoted && scope === 'project' && asked.scope === undefined) return undefined;
          return uninstall(piece, { scope, place, dryRun });
        });
        if (done) results.push(done);
      }
  const found = results.filter(({ change }) => change !== 'absent');
  // For an agent that is named but was never set up, the result says so.
  return unlessAllFailed(found.length > 0 || wanted.length === 0 ? found : results);
}

const failures = new WeakMap<Installed, unknown>();

/** One file that cannot be edited keeps no other from it. */
async function tried<Result extends Installed | undefined>(
  { agent, part, file }: Piece,
  work: () => Promise<Result>,
): Promise<Result | Installed> {
  try {
    return await work();
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    const failed: Installed = {
      agent: agent.name,
      part,
      file,
      change: 'failed',
      error: `${message} ${remedy}`,
    };
    failures.set(failed, thrown);
    return failed;
  }
}

/** Where nothing else was done, a failure is what there is to say. */
function unlessAllFailed(results: Installed[]): Installed[] {
  const [first] = results;
  if (first && results.every(({ change }) => change === 'failed')) throw failures.get(first);
  return results;
}

/** The pieces of the named agents, or of those that are here. */
async function chooseAgents({ wanted, place }: Asked, scope: InstallScope): Promise<Piece[][]> {
  const all = chosen(wanted).map((agent) => piecesOf(agent, scope, place));
  if (wanted.length > 0) {
    const bare = chosen(wanted).find((agent) => agent.settings.file(scope, place) === undefined);
    if (bare && all.some((pieces) => pieces.length === 0))
      throw new QuarryError(
        'usage-invalid',
        `${bare.name} has no settings in a project.`,
        'Leave out --scope project.',
      );
    return all;
  }
  const found: Piece[][] = [];
  for (const pieces of all)
    if (pieces[0]?.part === 'mcp' && (await isFound(pieces, place))) found.push(pieces);
  if (found.length > 0) return found;
  throw new QuarryError(
    'usage-invalid',
    'No editor or agent that can be set up is found here.',
    `Name one: ${agents.map(({ name }) => name).join(', ')}.`,
  );
}

function chosen(wanted: readonly string[]): readonly Agent[] {
  return wanted.length === 0 ? agents : agents.filter(({ name }) => wanted.includes(name));
}
