import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../client/client.ts';
import { replaceResident, residentOf } from '../../client/resident.ts';
import { residentAddress } from '../../client/resident-address.ts';
import { residentTransport } from '../../client/resident-folder.ts';
import { startResident } from '../../client/start-resident.ts';
import { QuarryError } from '../../core/errors.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { askThrough } from './client-host.ts';
import type { Host, OfferedProject } from './host.ts';

/** Milliseconds until an engine that was started has to answer. */
const startPatience = 30_000;
const lookEvery = 40;

/** Asks the engine in the background, which is started where none runs. Any number of processes share it. */
export function createResidentHost(projects: Host['projects']): Host {
  const { client: strict } = residentOf();
  // Editors start their servers with variables of their own: those of the engine's start count.
  const client = createClient(residentTransport(processEnvironment));
  let hasOtherVariables = false;
  let isChecked = false;

  const engineState = async (): Promise<'answers' | 'absent' | 'other-build'> => {
    try {
      await strict.request('GET', '/v1/engine');
      return 'answers';
    } catch (thrown) {
      const code = thrown instanceof QuarryError ? thrown.code : '';
      if (code === 'environment-mismatch') hasOtherVariables = true;
      if (code === 'environment-mismatch') return 'answers';
      if (code === 'version-mismatch') return 'other-build';
      if (code === 'server-unreachable') return 'absent';
      throw thrown;
    }
  };

  const prepare = async ({ folder = '' }: OfferedProject): Promise<string> => {
    const until = performance.now() + startPatience;
    let isStarted = false;
    for (let state = await engineState(); state !== 'answers'; state = await engineState()) {
      // An engine of another build is replaced once: two installations must not end each other for ever. A server that a
      // person started is used as it is.
      if (state === 'other-build' && (isChecked || !(await replaceResident()))) break;
      isChecked = true;
      if (state === 'absent' && !isStarted) {
        await startResident(folder);
        isStarted = true;
      }
      if (performance.now() > until) throw notStarted();
      await sleep(lookEvery);
    }
    isChecked = true;
    return (await client.openFolder(folder)).id;
  };

  return {
    ...askThrough({ client, prepare }),
    projects,
    notes: () =>
      hasOtherVariables
        ? ['The engine in the background was started with other variables than this server; its own count.']
        : [],
  };
}

function notStarted(): QuarryError {
  return new QuarryError(
    'server-unreachable',
    'The engine in the background does not start.',
    `Look at ${residentAddress(processEnvironment).log}, or run: quarry serve`,
  );
}
