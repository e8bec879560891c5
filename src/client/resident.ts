import { realpathSync } from 'node:fs';
import { QuarryError } from '../core/errors.ts';
import { idOfFolder } from '../core/identity.ts';
import { type Environment, processEnvironment } from '../platform/environment.ts';
import { environmentName, programBuild } from './build.ts';
import { type Answer, type CallOptions, type Client, createClient } from './client.ts';
import { residentTransport } from './resident-folder.ts';

/** What the engine that runs for the user answers. */
export interface Resident {
  readonly client: Client;
  /** Performs an operation on the project in this folder. */
  call(folder: string, operation: string, input: object, options?: CallOptions): Promise<Answer>;
}

/** The resident of this user; whether one runs is seen by asking it. */
export function residentOf(environment: Environment = processEnvironment): Resident {
  const client = createClient(residentTransport(environment), {
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

/** Whether an error means that the resident has taken nothing, and the command has to do it itself. */
export function isForThisProcess(thrown: unknown): thrown is QuarryError {
  return thrown instanceof QuarryError && notTaken.includes(thrown.code);
}

const notTaken: readonly string[] = [
  'server-unreachable',
  'server-silent',
  'version-mismatch',
  'environment-mismatch',
  'route-unknown',
];

/**
 * Has a resident of another build end. Returns false where it stays: a server that a person started is never ended for a
 * command of another build.
 */
export async function replaceResident(environment: Environment = processEnvironment): Promise<boolean> {
  // Without the names of build and environment: any resident listens to this.
  const client = createClient(residentTransport(environment));
  try {
    const answer = await client.request('POST', '/v1/engine/give-way', {});
    return (answer as { stopping?: unknown }).stopping === true;
  } catch (thrown) {
    return thrown instanceof QuarryError && thrown.code === 'server-unreachable';
  }
}
