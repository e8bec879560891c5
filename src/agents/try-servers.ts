import { parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { parse as parseYaml } from 'yaml';
import { messageOf } from '../core/errors.ts';
import { beginningOf } from '../core/text/shortened.ts';
import { processEnvironment, variablesWithPrefix } from '../platform/environment.ts';
import { programFile } from '../platform/package-folder.ts';
import { type Agent, agents, type InstallPlace, type InstallScope, type ServerCommand } from './agents.ts';
import { foundByNpx } from './npx-program.ts';
import { readText, realFile } from './own-text.ts';
import { commandOf } from './pieces.ts';

/** What came of starting the server as agents would. */
export interface TriedServer {
  /** Titles of the agents that start it so. */
  readonly agents: readonly string[];
  /** `note` where it was not tried. */
  readonly state: 'good' | 'bad' | 'note';
  readonly detail: string;
  /** What to do, where it is not to set it up again. */
  readonly remedy?: string;
}

/** Milliseconds until a server is up and has answered. */
const patience = 30_000;

/**
 * Starts the server as each agent whose settings name it would, and calls a tool. Only our own program is started: what else
 * stands under our name in the settings is told.
 */
export async function tryServers(place: InstallPlace, signal?: AbortSignal): Promise<TriedServer[]> {
  return [...(await ofUser(place, signal)), ...(await ofProject(place, signal))];
}

async function ofUser(place: InstallPlace, signal?: AbortSignal): Promise<TriedServer[]> {
  const { ours, others } = await written('user', place);
  const calls = new Map<string, { readonly command: ServerCommand; readonly titles: string[] }>();
  for (const agent of ours) {
    const command = commandOf(agent, 'user', place.folder);
    const key = JSON.stringify(command);
    const call = calls.get(key) ?? { command, titles: [] };
    call.titles.push(agent.title);
    calls.set(key, call);
  }
  const tried: TriedServer[] = [];
  for (const { command, titles } of calls.values())
    tried.push({ agents: titles, ...(await call(command, place.folder, signal)) });
  return [
    ...tried,
    ...others.map(({ title }) => ({ agents: [title], state: 'bad' as const, detail: anotherProgram })),
  ];
}

const anotherProgram = 'its settings start another program under the name quarry, which was not tried';

/** Files of a project may be a stranger's: nothing that lies in its folder is started. */
async function ofProject(place: InstallPlace, signal?: AbortSignal): Promise<TriedServer[]> {
  const { ours, others } = await written('project', place);
  const inProject = ({ title }: Agent) => `${title} in this project`;
  const told = others.map((agent) => ({
    agents: [inProject(agent)],
    state: 'note' as const,
    detail: anotherProgram,
    remedy: 'Look at it before you allow it there.',
  }));
  if (ours.length === 0) return told;
  return [{ agents: ours.map(inProject), ...(await callByNpx(place, signal)) }, ...told];
}

async function callByNpx(place: InstallPlace, signal?: AbortSignal): Promise<Omit<TriedServer, 'agents'>> {
  const found = await foundByNpx(place);
  if (found === 'this') {
    const command = { command: process.execPath, args: [programFile(), 'mcp'] };
    return call(command, place.folder, signal);
  }
  return found === 'other'
    ? {
        state: 'note',
        detail: 'npx quarry starts another installation than this one, which was not tried',
        remedy: 'If you trust this folder, run: npx quarry doctor',
      }
    : {
        state: 'bad',
        detail: 'npx quarry finds no program here',
        remedy: 'Install Quarry in this project, or for all with npm install -g.',
      };
}

/** Agents whose settings name a server as ours: with the command that we write, and with another. */
async function written(scope: InstallScope, place: InstallPlace) {
  const ours: Agent[] = [];
  const others: Agent[] = [];
  for (const agent of agents) {
    const entry = await entryIn(agent, scope, place);
    if (entry !== undefined) (isOurs(entry, agent, scope, place) ? ours : others).push(agent);
  }
  return { ours, others };
}

const parsers: Record<Agent['settings']['format'], (text: string) => unknown> = {
  json: (text) => parseJson(text),
  toml: (text) => parseToml(text),
  yaml: (text) => parseYaml(text),
};

/** The entry under our name in the settings of an agent; undefined where there is none. */
async function entryIn({ settings }: Agent, scope: InstallScope, place: InstallPlace): Promise<unknown> {
  const file = settings.file(scope, place);
  // In the home folder both may be the same file.
  if (file === undefined || (scope === 'project' && file === settings.file('user', place))) return undefined;
  try {
    const text = readText(await realFile(file, scope, place.folder));
    if (text === undefined) return undefined;
    let at: unknown = parsers[settings.format](text);
    for (const key of settings.keys) at = (at as Record<string, unknown> | undefined)?.[key];
    // In YAML servers are a list, each with its name.
    if (Array.isArray(at))
      return at.find((server: { readonly name?: unknown } | null) => server?.name === 'quarry');
    return (at as Record<string, unknown> | undefined)?.quarry;
  } catch {
    // Its own program says what is wrong with a file that cannot be read.
    return undefined;
  }
}

/** An agent may add keys of its own to an entry. */
function isOurs(written: unknown, agent: Agent, scope: InstallScope, place: InstallPlace): boolean {
  if (typeof written !== 'object' || written === null) return false;
  const folder = agent.needsFolder ? folderOf(written) : place.folder;
  const expected = agent.settings.entry(commandOf(agent, scope, folder ?? place.folder));
  const fields = written as Record<string, unknown>;
  return ['command', 'args']
    .filter((key) => key in expected)
    .every((key) => JSON.stringify(fields[key]) === JSON.stringify((expected as typeof fields)[key]));
}

/** Another project may be the one that an agent was given. */
function folderOf(written: object): string | undefined {
  const { args } = written as { readonly args?: unknown };
  const last: unknown = Array.isArray(args) ? args.at(-1) : undefined;
  return typeof last === 'string' ? last : undefined;
}

async function call(
  { command, args }: ServerCommand,
  folder: string,
  signal?: AbortSignal,
): Promise<Omit<TriedServer, 'agents'>> {
  const [{ Client }, { StdioClientTransport, getDefaultEnvironment }] = await Promise.all([
    import('@modelcontextprotocol/client'),
    import('@modelcontextprotocol/client/stdio'),
  ]);
  const client = new Client({ name: 'quarry doctor', version: '1' });
  const options = { timeout: patience, ...(signal && { signal }) };
  const started = performance.now();
  try {
    const env = { ...getDefaultEnvironment(), ...ownVariables() };
    const transport = new StdioClientTransport({
      command,
      args: [...args],
      env,
      cwd: folder,
      stderr: 'ignore',
    });
    await client.connect(transport, options);
    const { tools } = await client.listTools(undefined, options);
    const answer = await client.callTool({ name: 'status', arguments: {} }, options);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    return answer.isError
      ? { state: 'bad', detail: `its tool fails: ${beginningOf(JSON.stringify(answer.content), 300)}` }
      : {
          state: 'good',
          detail: `the server answers with ${tools.length} tools, ${seconds} s for the first call`,
        };
  } catch (thrown) {
    return { state: 'bad', detail: `the server does not answer: ${beginningOf(messageOf(thrown), 200)}` };
  } finally {
    // It was started for this alone; why it could not be ended changes nothing.
    await client.close().catch(() => undefined);
  }
}

/** An agent that is started from this shell would hand these on. */
function ownVariables(): Record<string, string> {
  const names = ['CI', ...['QUARRY_', 'XDG_'].flatMap(variablesWithPrefix)];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = processEnvironment(name);
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
