import { existsSync, realpathSync } from 'node:fs';
import { residentAddress } from '../../client/resident-address.ts';
import type { EventData, QuarryEvent } from '../../core/events.ts';
import { scopeOf } from '../../operations/permission.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { findProjectFolder } from '../../project/state-folder.ts';
import type { CommandShape } from './command-shape.ts';
import { type Follower, fromProject } from './follower.ts';
import { harmless } from './output.ts';
import type { ParsedCommand } from './parse-words.ts';

/** Has the engine that runs in the background do it; returns false where this process has to do it itself. */
export async function runThroughResident(
  command: CommandShape,
  { input, common: { project: given, settings, yes } }: ParsedCommand,
  { signal, onEvent, onResult, note }: Follower,
): Promise<boolean> {
  // What names files of this machine, or has settings of its own, concerns this process alone.
  if (command.standsAlone || !scopeOf(command) || Object.keys(settings).length > 0) return false;
  if (processEnvironment('QUARRY_RESIDENT_MODE') === 'never') return false;
  if (!hasResident()) return false;
  const { isForThisProcess, residentOf, stopResident } = await import('../../client/resident.ts');
  const folder = given ?? (await findProjectFolder('.'));
  let hasBegun = false;
  try {
    const meant = fromProject(command, input, realpathSync(folder));
    const { result, exitCode } = await residentOf().call(folder, command.name, meant, {
      signal,
      // The user was asked, or has said so, before anything was sent.
      confirmed: yes || command.effect === 'destroys',
      onEvent(event: EventData) {
        hasBegun = true;
        // As data, its errors have the same fields; whoever shows an event reads nothing else.
        onEvent(event as QuarryEvent);
      },
    });
    if (!given && folder !== process.cwd()) note(`Project: ${harmless(folder)}`);
    await onResult(result, folder, exitCode);
    return true;
  } catch (thrown) {
    // What was shown cannot be taken back: an engine that ends in the midst is a failure of the command.
    if (hasBegun || !isForThisProcess(thrown)) throw thrown;
    if ((thrown as { code?: string }).code === 'version-mismatch') await stopResident();
    return false;
  }
}

function hasResident(): boolean {
  const { socket } = residentAddress(processEnvironment);
  return process.platform === 'win32' || existsSync(socket);
}
