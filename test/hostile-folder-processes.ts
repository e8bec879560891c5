import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { testedLibrary } from './quarry-process.ts';

/** Milliseconds after which a process is taken for one that hangs. */
export const endsWithin = 300_000;
/** What a process may use of memory, in KiB: an endless file must not be read. */
export const maxKilobytes = 2 ** 21;
const child = fileURLToPath(new URL('./hostile-folder-child.ts', import.meta.url));

/** Starts a file of tests as a process of its own. */
export function spawnChild(file: string, home: string, words: readonly string[] = []): ChildProcess {
  return spawn(process.execPath, [file, ...words], {
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOME: home,
      // As the one that made the sound project, whose index would be a stranger's otherwise.
      QUARRY_DATA_FOLDER: process.env.QUARRY_DATA_FOLDER ?? '',
      QUARRY_CACHE_MAX_BYTES: '0',
      QUARRY_RESOURCES_THREADS: '1',
      CI: 'true',
      EDITOR: 'true',
    },
    timeout: endsWithin,
    killSignal: 'SIGKILL',
  });
}

/** What a process printed until it ended. */
export async function ending(running: ChildProcess) {
  let [stdout, stderr] = ['', ''];
  running.stdout?.on('data', (data) => {
    stdout += data;
  });
  running.stderr?.on('data', (data) => {
    stderr += data;
  });
  const [code, signal] = await once(running, 'close');
  return { code, signal, stdout, stderr };
}

/** A project that is asked every question, or three of the eight, which its turn decides. */
export interface AskedFolder {
  readonly folder: string;
  readonly turn?: number;
}

/** What came of each question to a project, and the memory that the process had used by then. */
export interface Outcome {
  readonly folder: string;
  readonly outcomes?: Readonly<Record<string, string>>;
  readonly kilobytes?: number;
}

/** Asks these projects in one process; what it printed last says where it hangs. */
export async function askAll(asked: readonly AskedFolder[], home: string): Promise<readonly Outcome[]> {
  const asking = spawnChild(child, home, [testedLibrary]);
  asking.stdin?.end(asked.map((each) => JSON.stringify(each)).join('\n'));
  const { code, signal, stdout, stderr } = await ending(asking);
  const lines = stdout.trim().split('\n');
  expect({ code, signal, stderr, last: lines.at(-1) }).toMatchObject({ code: 0, signal: null });
  return lines.map((line) => JSON.parse(line) as Outcome).filter(({ outcomes }) => outcomes);
}
