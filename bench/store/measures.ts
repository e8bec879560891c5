// What is measured of a store, and how the measures are shown.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { chunksEach } from './dataset.ts';

export const hits = 10;

/** The numbers of the nearest vectors for each question, by brute force in full precision. */
export interface Truth {
  readonly all: readonly (readonly number[])[];
  readonly narrow: readonly (readonly number[])[];
}

export interface BuildMeasures {
  readonly fill: Effort;
  readonly index: Effort;
  readonly megabytesOnDisk: number;
  readonly peakMegabytes: number;
}

/** Elapsed time, and CPU time of all processors; they differ where other programs use the machine. */
export interface Effort {
  readonly seconds: number;
  readonly processorSeconds: number;
}

/** Starts a clock that returns the effort since then. */
export function effortFromNow(): () => Effort {
  const start = performance.now();
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return { seconds: (performance.now() - start) / 1000, processorSeconds: (user + system) / 1e6 };
  };
}

export interface QueryMeasures {
  /** Opening and the first answer, in a new process. */
  readonly open: Effort;
  readonly vector: Spread;
  readonly narrow: Spread;
  readonly text: Spread;
  readonly replace: Spread;
  readonly recall: number;
  readonly narrowRecall: number;
  readonly residentMegabytes: number;
}

/** Milliseconds of single calls, by the clock and of all processors together. */
export interface Spread {
  readonly p50: number;
  readonly p95: number;
  readonly processor: { readonly p50: number; readonly p95: number };
}

function spread(efforts: readonly Effort[]): Spread {
  const quantiles = (times: readonly number[]) => {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
    return { p50: at(0.5) * 1000, p95: at(0.95) * 1000 };
  };
  const processor = quantiles(efforts.map(({ processorSeconds }) => processorSeconds));
  return { ...quantiles(efforts.map(({ seconds }) => seconds)), processor };
}

/** Runs the work for each item and keeps the effort of each. */
export async function timed<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<{ readonly results: Result[]; readonly spread: Spread }> {
  const results: Result[] = [];
  const efforts: Effort[] = [];
  for (const item of items) {
    const effort = effortFromNow();
    results.push(await work(item));
    efforts.push(effort());
  }
  return { results, spread: spread(efforts) };
}

export function recall(found: readonly (readonly number[])[], truth: readonly (readonly number[])[]): number {
  let agreed = 0;
  let wanted = 0;
  for (const [question, expected] of truth.entries()) {
    const actual = new Set(found[question]);
    wanted += expected.length;
    agreed += expected.filter((number) => actual.has(number)).length;
  }
  return agreed / wanted;
}

/** The number of the vector behind a chunk. */
export function vectorNumber(uri: string, ordinal: number): number {
  return Number(/file(\d+)\.md$/.exec(uri)?.[1]) * chunksEach + ordinal;
}

export function megabytesIn(folder: string): number {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return files.reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0) / 1e6;
}

export function residentMegabytes(): number {
  return process.memoryUsage().rss / 1e6;
}

export function peakMegabytes(): number {
  return process.resourceUsage().maxRSS / 1e3;
}

export const tableHead = [
  '| vectors | store | fill s (CPU) | index s (CPU) | disk MB | peak MB | open ms (CPU) | vector p50 / p95 ms (CPU) | recall@10 | 1 % filter p50 / p95 ms (CPU) | recall@10 | text p50 / p95 ms (CPU) | replace p50 / p95 ms (CPU) | RSS MB |',
  '|---|---|---|---|---|---|---|---|---|---|---|---|---|---|',
].join('\n');

export function tableRow(data: string, store: string, build: BuildMeasures, query: QueryMeasures): string {
  const both = ({ p50, p95, processor }: Spread) =>
    `${p50.toFixed(1)} / ${p95.toFixed(1)} (${processor.p50.toFixed(1)} / ${processor.p95.toFixed(1)})`;
  const effort = ({ seconds, processorSeconds }: Effort) =>
    `${seconds.toFixed(1)} (${processorSeconds.toFixed(1)})`;
  const cells = [
    data,
    store,
    effort(build.fill),
    effort(build.index),
    build.megabytesOnDisk.toFixed(0),
    build.peakMegabytes.toFixed(0),
    `${(query.open.seconds * 1000).toFixed(0)} (${(query.open.processorSeconds * 1000).toFixed(0)})`,
    both(query.vector),
    query.recall.toFixed(3),
    both(query.narrow),
    query.narrowRecall.toFixed(3),
    both(query.text),
    both(query.replace),
    query.residentMegabytes.toFixed(0),
  ];
  return `| ${cells.join(' | ')} |`;
}
