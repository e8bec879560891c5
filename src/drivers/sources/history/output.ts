import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { shownLine } from '../../../core/text/shown-text.ts';
import { refused } from './repository.ts';

/** How long and how much git may write for one question. */
export interface OutputBounds {
  readonly milliseconds: number;
  readonly bytes: number;
}

/**
 * What a command writes, whole; it is ended when it takes too long or writes too much, and rejects with `file-unreadable` then and
 * where git fails.
 */
export function outputOf(
  child: ChildProcessWithoutNullStreams,
  bounds: OutputBounds,
  signal?: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    let said = '';
    const fail = (why: string): void => {
      child.kill('SIGKILL');
      reject(refused(why, 'look at it with `git log` and `git fsck`'));
    };
    const timer = setTimeout(
      () => fail(`git took more than ${bounds.milliseconds / 1000} seconds`),
      bounds.milliseconds,
    );
    const stop = (): void => void child.kill('SIGKILL');
    signal?.addEventListener('abort', stop);
    // That nobody listens any more shows at the end of the process.
    child.stdin.on('error', () => undefined).end();
    child.stderr.on('data', (part: Buffer) => {
      if (said.length < 1000) said += part.toString('utf8');
    });
    child.stdout.on('data', (part: Buffer) => {
      length += part.length;
      if (length > bounds.bytes) fail(`git wrote more than ${bounds.bytes} bytes`);
      else parts.push(part);
    });
    child.on('error', (cause) => fail(`git cannot be started (${cause.message})`));
    child.on('close', (code) => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', stop);
      if (code === 0) resolve(Buffer.concat(parts));
      else fail(`git fails (${saidBy(said) || `code ${code}`})`);
    });
  });
}

/** The first line of what git says of a failure, for a person. */
function saidBy(text: string): string {
  return shownLine((text.split('\n', 1)[0] ?? '').slice(0, 200));
}
