import { spawn } from 'node:child_process';
import { closeSync, realpathSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { QuarryError } from '../core/errors.ts';
import { processEnvironment } from '../platform/environment.ts';
import { openOwnFile } from '../platform/own-files.ts';
import { programFile } from '../platform/package-folder.ts';
import { type Resident, replaceResident, residentOf } from './resident.ts';
import { residentAddress } from './resident-address.ts';
import { ensureResidentFolder } from './resident-folder.ts';
import { noteStart, startsWithin } from './starting-resident.ts';

/** The resident of this user, started where none runs; one of another build is replaced, but no server that a person started. */
export async function ensureResident(folder: string, signal?: AbortSignal): Promise<Resident> {
  const resident = residentOf();
  const until = performance.now() + startsWithin;
  for (let isStarted = false; ; ) {
    try {
      await resident.client.request('GET', '/health', undefined, signal);
      return resident;
    } catch (thrown) {
      const code = thrown instanceof QuarryError ? thrown.code : 'internal';
      if (code === 'version-mismatch') {
        if (!(await replaceResident())) throw thrown;
      } else if (code !== 'server-unreachable' || performance.now() > until) throw thrown;
      else if (!isStarted) {
        await startResident(folder);
        isStarted = true;
      }
    }
    await setTimeout(50, undefined, { signal });
  }
}

/** Starts a resident that outlives this process, and has it keep the project in this folder up to date. */
export async function startResident(folder: string): Promise<void> {
  const real = realpathSync(folder);
  const log = await openLog();
  const words = ['serve', '--resident', '--quiet', '--folder', real];
  const child = spawn(process.execPath, [programFile(), ...words], {
    detached: true,
    stdio: ['ignore', 'ignore', log ?? 'ignore'],
    windowsHide: true,
    cwd: real,
  });
  // A machine that cannot start it leaves the work to later commands.
  child.on('error', () => undefined);
  child.unref();
  if (child.pid !== undefined) noteStart(child.pid);
  if (log !== undefined) closeSync(log);
}

/** The file for what a resident says when it fails; each begins it again. Without one it works all the same. */
async function openLog(): Promise<number | undefined> {
  const address = residentAddress(processEnvironment);
  try {
    await ensureResidentFolder(address);
    return openOwnFile(address.log);
  } catch (thrown) {
    // Where the folder is another user's, an engine would refuse to start too.
    if (thrown instanceof QuarryError) throw thrown;
    return undefined;
  }
}
