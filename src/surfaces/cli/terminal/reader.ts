import { fstatSync } from 'node:fs';

/**
 * The exit code after the reader of a pipe has left: the one a shell reports after SIGPIPE. It is not 0, because an
 * index run that stopped half-way is no success. A shell looks at it only where `pipefail` is set.
 */
const readerGoneExitCode = 141;

/** The exit code after results could not be written to a disk or device. */
const unwritableExitCode = 1;

/** Error codes that mean the reader has left; they differ between systems. */
const goneCodes: readonly (string | undefined)[] = ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

const standardOutput = 1;
const standardError = 2;

/** Only a write shows that the reader of a pipe has left, so one is tried this often. */
const askEveryMilliseconds = 5000;

/**
 * A signal that is aborted when results can no longer be written (`| head`, an editor that crashed, a full disk). It also
 * sets the exit code. Text that cannot be written to standard error is lost without an error.
 */
export function followReader(): AbortSignal {
  const { stdout, stderr } = process;
  const gone = new AbortController();
  const leave = (exitCode = readerGoneExitCode): void => {
    process.exitCode = exitCode;
    gone.abort();
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (gone.signal.aborted) return;
    if (goneCodes.includes(error.code)) return leave();
    leave(unwritableExitCode);
    stderr.write(
      `quarry: The results cannot be written: ${error.message}.\nFree space on that disk, or write elsewhere.\n`,
    );
  });
  stdout.on('close', () => {
    if (!gone.signal.aborted) leave();
  });
  stderr.on('error', () => {
    if (isOnePipe(standardOutput, standardError)) leave();
  });
  return gone.signal;
}

/**
 * Notices within seconds that the reader of JSON lines has left, even when there is nothing to print: it writes spaces,
 * which JSON ignores. The returned function stops it.
 */
export function keepAskingForReader(): () => void {
  if (!isPipe(standardOutput)) return () => {};
  const asking = setInterval(() => process.stdout.write(' '), askEveryMilliseconds).unref();
  return () => clearInterval(asking);
}

function isPipe(descriptor: number): boolean {
  const file = fstatSync(descriptor);
  return file.isFIFO() || file.isSocket();
}

/** Whether both streams go to one pipe (`2>&1`). Unknown, hence false, where pipes have no identity. */
function isOnePipe(one: number, other: number): boolean {
  const [first, second] = [fstatSync(one), fstatSync(other)];
  return first.ino !== 0 && first.ino === second.ino && first.dev === second.dev && isPipe(one);
}
