import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** What the reference server has done since it started. */
export interface ServerCounters {
  readonly batches: number;
  readonly texts: number;
  readonly tokens: number;
  /** Requests that did not fit the device even alone. */
  readonly refused: number;
  /** Time that the GPU spent inside batches. */
  readonly busy_seconds: number;
  readonly seconds: number;
}

/** Asks the server. */
export async function serverCounters(origin: string): Promise<ServerCounters> {
  const answer = await fetch(`${origin}/counters`);
  return (await answer.json()) as ServerCounters;
}

/** Share of the last moment in which the GPU ran something, as the driver reports it; undefined without the tool. */
export async function reportedUtilisation(): Promise<number | undefined> {
  const query = ['--query-gpu=utilization.gpu', '--format=csv,noheader,nounits'];
  try {
    const { stdout } = await promisify(execFile)('nvidia-smi', query);
    return Number(stdout.trim()) / 100;
  } catch {
    return undefined;
  }
}
