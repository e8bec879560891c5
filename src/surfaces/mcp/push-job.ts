import { spawn } from 'node:child_process';
import { QuarryError } from '../../core/errors.ts';
import { programFile } from '../../platform/package-folder.ts';
import type { JobState } from './host.ts';

/** Where a workspace is sent. */
export interface PushTarget {
  readonly url: string;
  readonly project: string;
  readonly folder: string;
}

/** A push that runs in a process of its own: this one loads nothing that reads files. */
export interface PushJob {
  readonly state: () => JobState;
  cancel(): void;
}

/** Sends the files of a folder to its project on a server; only changes travel. */
export function startPush({ url, project, folder }: PushTarget): PushJob {
  const words = ['push', '--server', url, '--name', project, '--project', folder, '--json', '--quiet'];
  const child = spawn(process.execPath, [programFile(), ...words], { stdio: ['ignore', 'pipe', 'ignore'] });
  let state: JobState = { state: 'running' };
  let output = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    // Of the events only the last line matters: the result, or the error.
    output = `${output}${part}`.slice(-1_000_000);
  });
  child.on('error', () => {
    state = { state: 'failed', error: broken() };
  });
  child.on('close', (_, signal) => {
    state = signal ? { state: 'cancelled' } : endOf(output);
  });
  return { state: () => state, cancel: () => child.kill('SIGTERM') };
}

function endOf(output: string): JobState {
  try {
    const last = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
    if (last.type === 'error') return { state: 'failed', error: last };
    // The server's own run, as an index on this machine would report it.
    if (last.index)
      return { state: 'done', result: { summary: last.index, failed: last.failed, warnings: [] } };
  } catch {
    // Falls through: what it printed is no result.
  }
  return { state: 'failed', error: broken() };
}

function broken() {
  const { code, message, remedy } = new QuarryError(
    'server-unreachable',
    'The files could not be sent to the server.',
    'Run quarry push in the folder: it says why.',
  );
  return { code, message, remedy };
}
