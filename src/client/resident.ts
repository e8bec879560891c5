import { spawn } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { QuarryError } from '../core/errors.ts';
import { type Environment, processEnvironment } from '../platform/environment.ts';
import { programFile } from '../platform/package-folder.ts';
import { environmentName, programBuild } from './build.ts';
import { type Answer, type CallOptions, type Client, createClient } from './client.ts';
import { idOfFolder } from './folder-id.ts';
import { residentAddress } from './resident-address.ts';
import { socketTransport } from './socket-transport.ts';

/** What the engine that runs for the user answers. */
export interface Resident {
  readonly client: Client;
  /** Performs an operation on the project in this folder. */
  call(folder: string, operation: string, input: object, options?: CallOptions): Promise<Answer>;
}

/** The resident of this user; whether one runs is seen by asking it. */
export function residentOf(environment: Environment = processEnvironment): Resident {
  const client = createClient(socketTransport(residentAddress(environment).socket), {
    'quarry-build': programBuild(),
    'quarry-environment': environmentName(environment),
  });
  return {
    client,
    async call(folder, operation, input, options) {
      const real = realpathSync(folder);
      try {
        return await client.call(idOfFolder(real), operation, input, options);
      } catch (thrown) {
        if (!(thrown instanceof QuarryError) || thrown.code !== 'project-not-found') throw thrown;
        const { id } = await client.openFolder(real);
        return client.call(id, operation, input, options);
      }
    },
  };
}

/** Milliseconds that a resident gets to start. */
const startsWithin = 30_000;

/** The resident of this user, started where none runs; one of another build is replaced. */
export async function ensureResident(
  folder: string,
  idleMinutes: number,
  signal?: AbortSignal,
): Promise<Resident> {
  const resident = residentOf();
  const until = performance.now() + startsWithin;
  for (let isStarted = false; ; ) {
    try {
      await resident.client.request('GET', '/health', undefined, signal);
      return resident;
    } catch (thrown) {
      const code = thrown instanceof QuarryError ? thrown.code : 'internal';
      if (code === 'version-mismatch') await stopResident();
      else if (code !== 'server-unreachable' || performance.now() > until) throw thrown;
      else if (!isStarted) {
        startResident(folder, idleMinutes);
        isStarted = true;
      }
    }
    await setTimeout(50, undefined, { signal });
  }
}

/** Whether an error means that the resident cannot do it, and the command has to do it itself. */
export function isForThisProcess(thrown: unknown): boolean {
  return (
    thrown instanceof QuarryError &&
    ['server-unreachable', 'version-mismatch', 'environment-mismatch', 'route-unknown'].includes(thrown.code)
  );
}

/** Ends the resident, if there is one; returns whether there was. */
export async function stopResident(environment: Environment = processEnvironment): Promise<boolean> {
  // Without the names of build and environment: any resident listens to this.
  const client = createClient(socketTransport(residentAddress(environment).socket));
  try {
    await client.request('POST', '/v1/engine/stop', {});
    return true;
  } catch (thrown) {
    if (thrown instanceof QuarryError && thrown.code === 'server-unreachable') return false;
    throw thrown;
  }
}

/** Starts a resident that outlives this process, and has it keep the project in this folder up to date. */
export function startResident(folder: string, idleMinutes?: number): void {
  const real = realpathSync(folder);
  const log = openLog();
  const idle = idleMinutes === undefined ? [] : ['--idle-minutes', String(idleMinutes)];
  const words = ['serve', '--resident', '--quiet', ...idle, '--open', real];
  const child = spawn(process.execPath, [programFile(), ...words], {
    detached: true,
    stdio: ['ignore', 'ignore', log ?? 'ignore'],
    windowsHide: true,
    cwd: real,
  });
  // A machine that cannot start it leaves the work to later commands.
  child.on('error', () => undefined);
  child.unref();
  if (log !== undefined) closeSync(log);
}

/** The file for what a resident says when it fails; each begins it anew. Without one it works all the same. */
function openLog(): number | undefined {
  const { folder, log } = residentAddress(processEnvironment);
  try {
    if (!existsSync(folder)) mkdirSync(folder, { mode: 0o700 });
    return openSync(log, 'w', 0o600);
  } catch {
    return undefined;
  }
}
