import { runCommandLine } from '../src/surfaces/cli/command-line.ts';
import type { Finished } from './quarry-process.ts';

/**
 * Runs a command of the command line in this process, in a folder and with none of the user's own settings. Starting the
 * program takes longer than most commands: a process of its own is for tests whose promise is about processes.
 */
export async function callQuarry(
  folder: string,
  words: readonly string[],
  env: Record<string, string> = {},
): Promise<Finished> {
  const previous = { ...process.env };
  const previousFolder = process.cwd();
  const stdout = keepWritten(process.stdout);
  const stderr = keepWritten(process.stderr);
  try {
    process.chdir(folder);
    for (const name of Object.keys(process.env)) if (!ofTheMachine.test(name)) delete process.env[name];
    Object.assign(
      process.env,
      {
        HOME: folder,
        USERPROFILE: folder,
        QUARRY_CACHE_MAX_BYTES: '0',
        // The same user, whichever folder it is.
        QUARRY_DATA_FOLDER: previous.QUARRY_DATA_FOLDER ?? '',
        // Each further thread would load the parsers again.
        QUARRY_RESOURCES_THREADS: '1',
        CI: 'true',
      },
      env,
    );
    const code = await runCommandLine(words);
    return { code, stdout: stdout.text(), stderr: stderr.text() };
  } finally {
    stdout.restore();
    stderr.restore();
    for (const name of Object.keys(process.env)) delete process.env[name];
    Object.assign(process.env, previous);
    process.chdir(previousFolder);
  }
}

/** Variables that say where the machine keeps things, not how a user wants them. */
const ofTheMachine = /^(PATH|TMPDIR|TEMP|TMP|SystemRoot|NODE_COMPILE_CACHE)$/;

function keepWritten(stream: NodeJS.WriteStream) {
  const { write } = stream;
  let written = '';
  stream.write = ((text: string | Uint8Array) => {
    written += String(text);
    return true;
  }) as typeof write;
  return {
    text: () => written,
    restore: () => {
      stream.write = write;
    },
  };
}
