import { statSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { processEnvironment } from '../platform/environment.ts';
import { environmentName } from './build.ts';
import { type ResidentAddress, residentAddress } from './resident-address.ts';
import { readNote, writeNote } from './resident-folder.ts';

/** Milliseconds that a resident gets to start. */
export const startsWithin = 30_000;

/** Notes that this process was started as a resident: until it answers, nothing else tells that one is on its way. */
export function noteStart(pid: number): void {
  const address = residentAddress(processEnvironment);
  try {
    writeNote(address, address.starting, `${pid} ${environmentName(processEnvironment)}`);
  } catch {
    // It starts all the same; nobody is informed meanwhile.
  }
}

/** Removes that note, for a resident that answers. */
export async function forgetStart(): Promise<void> {
  await rm(residentAddress(processEnvironment).starting, { force: true });
}

/** The id of a process that was started as a resident for commands with these variables, and does not answer yet. */
export function startingResident(): number | undefined {
  const noted = notedStart(residentAddress(processEnvironment));
  return noted?.environment === environmentName(processEnvironment) ? noted.pid : undefined;
}

/** Whether a process was started as the engine at this address, for whichever commands, and does not answer yet. */
export function isStarting(address: ResidentAddress): boolean {
  return notedStart(address) !== undefined;
}

function notedStart(address: ResidentAddress): { pid: number; environment?: string | undefined } | undefined {
  try {
    const [pid, environment] = readNote(address, address.starting)?.split(' ') ?? [];
    // One that never came to answer leaves its note, and another process may have its number by now.
    if (Date.now() - statSync(address.starting).mtimeMs > startsWithin) return undefined;
    process.kill(Number(pid), 0);
    return { pid: Number(pid), environment };
  } catch {
    // There is no note, or no such process.
    return undefined;
  }
}
