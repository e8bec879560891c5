import { setTimeout } from 'node:timers/promises';
import { QuarryError } from '../core/errors.ts';
import { type Environment, processEnvironment } from '../platform/environment.ts';
import { createClient } from './client.ts';
import { endEngineProcess, engineProcess } from './engine-process.ts';
import { residentAddress } from './resident-address.ts';
import { residentTransport } from './resident-folder.ts';
import { isStarting } from './starting-resident.ts';

/** Milliseconds for which an engine that is starting or ending is waited for. */
const changesWithin = 20_000;
const lookEvery = 100;

/** What became of the engine that was to end. */
export interface Stopped {
  /** Whether there was one. */
  readonly stopped: boolean;
  /** Whether it did not answer, so that its process was ended. */
  readonly forced: boolean;
}

/** Ends the resident, if there is one: it is asked to, and one that does not answer is ended by its process. */
export async function stopResident(environment: Environment = processEnvironment): Promise<Stopped> {
  const address = residentAddress(environment);
  // Without the names of build and environment: any resident listens to this.
  const client = createClient(residentTransport(environment));
  const until = performance.now() + changesWithin;
  for (;;) {
    const failure = await client.request('POST', '/v1/engine/stop', {}).then(
      () => undefined,
      (thrown: unknown) => thrown,
    );
    if (failure === undefined) return { stopped: true, forced: false };
    const code = failure instanceof QuarryError ? failure.code : 'internal';
    const isStuck = code === 'server-silent' || code === 'answer-lost';
    if (!isStuck && code !== 'server-unreachable') throw failure;
    const pid = await engineProcess(address);
    if (pid === undefined && code === 'server-silent') throw unknownProcess(address.socket);
    const isLate = performance.now() > until;
    if (pid === undefined && (isStuck || isLate || !isStarting(address)))
      return { stopped: isStuck, forced: false };
    if (pid !== undefined && (isStuck || isLate)) {
      await endEngineProcess(address, pid);
      return { stopped: true, forced: true };
    }
    // It is starting, and cannot be asked yet, or is ending already.
    await setTimeout(lookEvery);
  }
}

function unknownProcess(socket: string): QuarryError {
  return new QuarryError(
    'server-silent',
    `What listens at ${socket} does not answer, and it is not known which process that is.`,
    'End that process by hand.',
  );
}
