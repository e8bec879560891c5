import { asking } from './session.ts';

/** What the owner may know of the process that answers. */
export interface EngineState {
  readonly version: string;
  readonly pid: number;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
}

/** The state of the engine; undefined for a reader who is not the owner. */
export async function engineState(): Promise<EngineState | undefined> {
  try {
    return (await asking((client) => client.request('GET', '/v1/engine'))) as EngineState;
  } catch (thrown) {
    if ((thrown as { code?: string }).code === 'access-denied') return undefined;
    throw thrown;
  }
}
