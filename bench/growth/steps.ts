// The steps of a project's life that bench/growth.ts measures, each in a process of its own that prints one line of JSON.
import { appendFileSync, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openProject, type Project } from '../../src/index.ts';
import { resultOf } from '../../src/platform/streams.ts';

/** What a step took. */
export interface Measured {
  readonly seconds: number;
  readonly cpu: number;
  /** Of the process at its peak. */
  readonly megabytes: number;
  readonly chunks?: number;
  /** Milliseconds of a search: the median and the 95th percentile. */
  readonly p50?: number;
  readonly p95?: number;
  /** Of the index. */
  readonly diskMegabytes?: number;
}

const questions = [
  'how is a semantic version range compared?',
  'parse command line options',
  'where is the cache cleared?',
  'readFileSync',
  'retry a request that timed out',
  'validate a schema and list its errors',
  'which license is it?',
  'escape html in a template',
  'close the connection when the signal aborts',
  'source map of a bundle',
];
const rounds = 3;

const text = async (project: Project) => {
  for await (const event of project.index({ giveWay: AbortSignal.abort() })) {
    // Files that cannot be read cost nothing that is worth measuring.
    if (event.type === 'document-failed') throw new Error(`${event.uri}: ${event.reason}`);
    if (event.type === 'index-end') return event.summary.chunks.total;
  }
  return undefined;
};

const search = async (project: Project, route: 'text' | 'hybrid') => {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1)
    for (const question of questions) {
      const asked = performance.now();
      await project.search(`${question} ${round}`, { update: false, route });
      times.push(performance.now() - asked);
    }
  times.sort((one, other) => one - other);
  return { p50: times[times.length >> 1] ?? 0, p95: times[Math.floor(times.length * 0.95)] ?? 0 };
};

/** By name, in the order in which they are taken. */
export const steps: Readonly<
  Record<string, (project: Project, folder: string) => Promise<Partial<Measured>>>
> = {
  'first answer': async (project) => {
    await project.search(questions[0] ?? '', { route: 'text' });
    return {};
  },
  'all text': async (project) => ({ chunks: (await text(project)) ?? 0 }),
  unchanged: async (project) => {
    await resultOf(project.freshen({ vectors: false }));
    return {};
  },
  'one file changed': async (project, folder) => {
    appendFileSync(join(folder, firstFile(folder)), '\n// One line more.\n');
    await resultOf(project.freshen({ vectors: false }));
    return {};
  },
  'search by words': (project) => search(project, 'text'),
  'all vectors': async (project, folder) => {
    for await (const _ of project.index());
    return { diskMegabytes: megabytesIn(join(folder, '.quarry')) };
  },
  'search by words and vectors': (project) => search(project, 'hybrid'),
};

/** Takes a step in this process; its clock begins when the process does, as it does for a user. */
export async function takeStep(name: string, folder: string, embedder: string): Promise<Measured> {
  // Vectors of hashes cost nothing, so that what is measured is the index and not the model.
  const project = await openProject(folder, { settings: { 'embedder.driver': embedder } });
  try {
    const found = await steps[name]?.(project, folder);
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    return {
      seconds: performance.now() / 1000,
      cpu: (userCPUTime + systemCPUTime) / 1e6,
      megabytes: peakMegabytes(),
      ...found,
    };
  } finally {
    await project.close();
  }
}

/** What the system says of the process that started this one counts in `maxRSS` too. */
function peakMegabytes(): number {
  const status = existsSync('/proc/self/status') ? readFileSync('/proc/self/status', 'utf8') : '';
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  return (kilobytes ? Number(kilobytes) * 1024 : process.resourceUsage().maxRSS * 1024) / 1e6;
}

function firstFile(folder: string): string {
  const paths = (readdirSync(folder, { recursive: true }) as string[]).filter(
    (path) => /\.[cm]?js$/.test(path) && !path.startsWith('.quarry'),
  );
  return paths.sort()[0] ?? '';
}

function megabytesIn(folder: string): number {
  let bytes = 0;
  for (const path of readdirSync(folder, { recursive: true }) as string[])
    bytes += statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0;
  return bytes / 1e6;
}
