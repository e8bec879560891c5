import { type ChildProcess, spawn } from 'node:child_process';
import { extname, join } from 'node:path';

/** The command line: as it was built, where that is of this source. */
export const testedProgram = process.env.TESTED_PROGRAM ?? '';
/** The library, from the same build. */
export const testedLibrary = join(testedProgram, '../../..', `index${extname(testedProgram)}`);

/** What a finished command left behind. */
export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the command line in a folder, with none of the user's own settings. */
export function startQuarry(
  folder: string,
  words: readonly string[],
  env: Record<string, string> = {},
  file = testedProgram,
  uid?: number,
) {
  const child = spawn(process.execPath, [file, ...words], {
    cwd: folder,
    ...(uid !== undefined && { uid, gid: uid }),
    env: {
      PATH: process.env.PATH ?? '',
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
      HOME: folder,
      USERPROFILE: folder,
      QUARRY_CACHE_MAX_BYTES: '0',
      // Each further thread would load the parsers again.
      QUARRY_RESOURCES_THREADS: '1',
      // The same user as in this process: what one of them makes is the other's own.
      QUARRY_DATA_FOLDER: process.env.QUARRY_DATA_FOLDER ?? '',
      // No command starts an engine that outlives it.
      CI: 'true',
      ...env,
    },
  });
  return { child, finished: finish(child) };
}

/** Runs a command to its end. */
export function quarry(folder: string, ...words: string[]): Promise<Finished> {
  return startQuarry(folder, words).finished;
}

function finish(child: ChildProcess): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout?.on('data', (data) => {
    stdout += data;
  });
  child.stderr?.on('data', (data) => {
    stderr += data;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}
