import { spawn } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { interrupted, QuarryError } from '../core/errors.ts';
import { onAbort } from '../platform/abort.ts';

/** Longest output of npm that is kept for its error message. */
const keptOutput = 64 * 1024;

/** A package at one version. */
export interface PackageVersion {
  readonly package: string;
  readonly version: string;
}

/**
 * Fetches a package's archive into `folder` with the user's own npm, so that mirrors, proxies and logins of its
 * configuration apply; returns the path of the archive. Runs no script of the package.
 */
export async function packWithNpm(
  wanted: PackageVersion,
  folder: string,
  signal?: AbortSignal,
): Promise<string> {
  if (signal?.aborted) throw interrupted(signal.reason);
  const { code, output } = await runNpm(packArguments(wanted), folder, signal);
  if (signal?.aborted) throw interrupted(signal.reason);
  if (code !== 0) throw npmFailed(wanted, output);
  const archive = (await readdir(folder)).find((name) => name.endsWith('.tgz'));
  if (archive === undefined) throw npmFailed(wanted, 'npm left no archive');
  return join(folder, archive);
}

/** Each flag is stated, so that no variable or file of npm's settings can lead the archive elsewhere. */
function packArguments({ package: name, version }: PackageVersion): string[] {
  const specification = `${name}@${version}`;
  // On Windows these words pass through a shell.
  if (!/^[@a-z0-9][a-z0-9._/-]*@[0-9][0-9a-z.+-]*$/.test(specification)) {
    throw new QuarryError(
      'model-not-found',
      `"${specification}" is not a package and version.`,
      'Correct the catalogue of models.',
    );
  }
  return [
    'pack',
    specification,
    '--pack-destination=.',
    '--ignore-scripts',
    '--prefer-offline',
    '--loglevel=error',
    '--dry-run=false',
    '--json=false',
    '--workspaces=false',
    '--no-progress',
    '--no-update-notifier',
  ];
}

function runNpm(
  words: readonly string[],
  folder: string,
  signal: AbortSignal | undefined,
): Promise<{ code: number | null; output: string }> {
  const onWindows = process.platform === 'win32';
  return new Promise((resolve, reject) => {
    // npm is a command file on Windows, which only a shell can start.
    const child = spawn(onWindows ? 'npm.cmd' : 'npm', words, {
      cwd: folder,
      shell: onWindows,
      windowsHide: true,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    let output = '';
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      output = (output + text).slice(-keptOutput);
    });
    const stop = (): void => {
      // Ending the shell would leave npm running.
      if (onWindows) spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore' });
      else child.kill();
    };
    const ignore = onAbort(signal, stop);
    child.once('error', (cause) => reject(npmMissing(cause)));
    child.once('close', (code) => {
      ignore();
      resolve({ code, output });
    });
  });
}

function npmMissing(cause: Error): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `npm cannot be started: ${cause.message}.`,
    'Install npm, or give the archive of the package with --from FILE.tgz.',
    { cause },
  );
}

function npmFailed({ package: name, version }: PackageVersion, output: string): QuarryError {
  const said = whatNpmSaid(output);
  if (/\bENOSPC\b/.test(output)) {
    return new QuarryError(
      'store-unusable',
      `npm ran out of space while it fetched ${name}@${version}: ${said}.`,
      'Free some space on the disk and run the command again.',
    );
  }
  return new QuarryError(
    'provider-unreachable',
    `npm could not fetch ${name}@${version}: ${said}.`,
    'Check the network and the registry in npm\u2019s configuration, or give the archive with --from FILE.tgz.',
  );
}

/** The sentence in npm's output that says what went wrong; npm puts codes before it and advice after it. */
export function whatNpmSaid(output: string): string {
  const lines = output
    .split(/\r?\n/)
    .filter((line) => !/^npm (warn|notice)/i.test(line))
    .map((line) => line.replace(/^npm (error|ERR!)( (404|notarget|network|enoent|E\d+))? ?/, '').trim())
    .filter((line) => line !== '' && !/^(code|syscall|errno|path|dest|file|A complete log)\b/.test(line));
  const sentence = lines.find((line) => line.includes(' ')) ?? lines.at(-1) ?? 'it gave no reason';
  return sentence.replace(/[.:]$/, '');
}
