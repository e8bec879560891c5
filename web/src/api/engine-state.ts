import { loadProjects } from './projects.ts';
import { asking, refusal } from './session.ts';

/** What the owner may know of the process that answers. */
export interface EngineState {
  readonly version: string;
  readonly pid: number;
  readonly uptime_seconds: number;
  readonly memory_bytes: number;
}

/** Milliseconds between two signs of life of an open page: the engine ends when nobody asks for half an hour. */
const signEvery = 5 * 60_000;

/** Keeps the engine running as long as the page is open, looked at or not; returns how to end that. */
export function stayAwake(): () => void {
  const timer = setInterval(() => {
    // That it is gone is said and mended where something is asked of it.
    if (!refusal.value) void loadProjects().catch(() => undefined);
  }, signEvery);
  return () => clearInterval(timer);
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
