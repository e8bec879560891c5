import { connect } from '../../../client/index.ts';
import type { ServerAddress } from '../../../client/server-address.ts';
import { openServerNames } from '../../../client/server-names.ts';
import { QuarryError } from '../../../core/errors.ts';
import { scopeOf } from '../../../operations/permission.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { findProjectFolder } from '../../../state-folder/state-folder.ts';
import type { CommandShape } from '../commands/command-shape.ts';
import type { ParsedCommand } from '../commands/parse-words.ts';
import { type Follower, fromProject } from './follower.ts';
import { severalOnServer } from './several.ts';

/** Has the server that the user named do it; returns false where it is work for this machine. */
export async function runThroughServer(
  server: ServerAddress,
  command: CommandShape,
  parsed: ParsedCommand,
  { signal, onEvent, onResult }: Follower,
): Promise<boolean> {
  const { input, common } = parsed;
  const { server: named, project: given, settings, yes } = common;
  // It talks to the server by itself.
  if (command.flags.some(({ field }) => field === 'server')) return false;
  if (command.standsAlone || !scopeOf(command)) {
    if (named === undefined) return false;
    throw notThere(`"${command.name}" works on this machine alone.`, 'Leave out --server.');
  }
  if (Object.keys(settings).length > 0)
    throw notThere('Settings are those of the server.', 'Leave out --set, or --server.');
  const folder = await findProjectFolder('.');
  const project =
    (await severalOnServer(server, command, parsed)) ??
    given ??
    (await openServerNames(processEnvironment).nameOf(server.url, folder));
  const { result, exitCode } = await connect(server.url, server).call(
    project,
    command.name,
    fromProject(command, input, folder),
    {
      signal,
      // The user was asked, or has said so, before anything was sent.
      confirmed: yes || command.effect === 'destroys',
      onEvent,
    },
  );
  await onResult(result, folder, exitCode);
  return true;
}

function notThere(message: string, remedy: string): QuarryError {
  return new QuarryError('usage-invalid', message, remedy);
}
