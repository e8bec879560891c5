import { existsSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Client } from '../../../client/client.ts';
import { residentAddress } from '../../../client/resident-address.ts';
import { isSettingsFault, QuarryError } from '../../../core/errors.ts';
import { shownLine } from '../../../core/text/shown-text.ts';
import { catalogue } from '../../../operations/catalogue.ts';
import { scopeOf } from '../../../operations/permission.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { findProjectFolder, requireFolder } from '../../../state-folder/state-folder.ts';
import type { CommandShape } from '../commands/command-shape.ts';
import { lineOf } from '../commands/commands.ts';
import type { ParsedCommand } from '../commands/parse-words.ts';
import { type Follower, fromProject } from './follower.ts';
import { foldersOf, type SeveralCommand } from './several.ts';

/** Has the engine that runs in the background do it; returns false where this process has to do it itself. */
export async function runThroughResident(
  command: CommandShape,
  { input, common: { project: given, settings, yes } }: ParsedCommand,
  { signal, onEvent, onResult, note, hasShown }: Follower,
  several?: SeveralCommand,
): Promise<boolean> {
  // What names files of this machine, or has settings of its own, concerns this process alone.
  if (command.standsAlone || !scopeOf(command) || Object.keys(settings).length > 0) return false;
  if (processEnvironment('QUARRY_RESIDENT_MODE') === 'never') return false;
  if (!hasResident()) return false;
  const folder = given === undefined ? await findProjectFolder('.') : resolve(given);
  if (!several) await requireFolder(folder);
  const { isForThisProcess, replaceResident, residentOf } = await import('../../../client/resident.ts');
  const leave = (why: string): false => {
    note(`${why} This command works in its own process.`);
    return false;
  };
  try {
    const options = {
      signal,
      // The user was asked, or has said so, before anything was sent.
      confirmed: yes || command.effect === 'destroys',
      onEvent,
    };
    if (several) {
      const { client } = residentOf();
      const address = await addressOf(several, client);
      const { result, exitCode } = await client.call(address, command.name, several.input, options);
      await onResult(result, foldersOf(several), exitCode);
      return true;
    }
    const meant = fromProject(command, input, realpathSync(folder));
    const { result, exitCode } = await residentOf().call(folder, command.name, meant, options);
    if (!given && folder !== process.cwd()) note(`Project: ${shownLine(folder)}`);
    await onResult(result, folder, exitCode);
    return true;
  } catch (thrown) {
    if (isLost(thrown)) {
      const mayBeRepeated = command.effect === 'reads' || command.repeatable;
      // What was shown cannot be taken back.
      if (!mayBeRepeated || hasShown()) throw outcomeUnknown(command, thrown);
      return leave('The engine in the background ended or stopped answering during this.');
    }
    if (command.needsNoSettings && isSettingsFault(thrown)) return false;
    if (!isForThisProcess(thrown)) throw thrown;
    if (thrown.code === 'server-silent')
      return leave('The engine in the background does not answer; quarry stop ends it.');
    if (thrown.code === 'version-mismatch' && !(await replaceResident()))
      return leave('The server that you started is another build of Quarry, and stays.');
    return false;
  }
}

/** Several projects as the engine knows them: a folder that nobody has registered is made known to it. */
async function addressOf({ projects }: SeveralCommand, client: Client): Promise<string> {
  const parts: string[] = [];
  for (const { id, name, folder, isRegistered } of projects)
    parts.push(`${name}=${isRegistered ? id : (await client.openFolder(folder)).id}`);
  return parts.join(',');
}

function isLost(thrown: unknown): thrown is QuarryError {
  return thrown instanceof QuarryError && thrown.code === 'answer-lost';
}

/** The error for a command that an engine has taken, and that must not be done twice. */
function outcomeUnknown({ name, effect }: CommandShape, cause: QuarryError): QuarryError {
  const what = `The engine in the background ended or stopped answering during "${lineOf({ name })}"`;
  if (effect === 'reads')
    return new QuarryError(cause.code, `${what}.`, 'Run the same command again.', { cause });
  return new QuarryError(
    cause.code,
    `${what}: it may have been done, or not, and was not done again.`,
    `Check whether it was done (${shownBy(name)}) before you run it again.`,
    { cause },
  );
}

/** The command that shows what another one of its group has changed. */
function shownBy(name: string): string {
  const [group = ''] = name.split(' ');
  const names = ['list', 'show', 'stats'].map((word) => `${group} ${word}`);
  const shows = catalogue.find((entry) => names.includes(entry.name));
  return `quarry ${shows?.name ?? 'status'}`;
}

function hasResident(): boolean {
  const { socket } = residentAddress(processEnvironment);
  return process.platform === 'win32' || existsSync(socket);
}
