import { fstatSync } from 'node:fs';

/**
 * The exit code of a program whose reader has left, as a shell reports a tool that SIGPIPE has ended. Not 0: an index
 * run that stopped half-way was no success, and a shell asks for this code only where `pipefail` is set.
 */
const readerGoneExitCode = 141;

/** The exit code of a program whose results the disk or device did not take. */
const unwritableExitCode = 1;

/** How systems say that nobody reads any more; a pipe of Windows ends, others break. */
const goneCodes: readonly (string | undefined)[] = ['EPIPE', 'EOF', 'ECONNRESET', 'ERR_STREAM_DESTROYED'];

const standardOutput = 1;
const standardError = 2;

/** Only a writer learns that the reader of a pipe has left. */
const askEveryMilliseconds = 5000;

/**
 * Aborted once nobody takes the results any more (`| head`, an editor that crashed, a full disk), and then the process
 * ends with the code for that, whenever it is noticed. What cannot be written to standard error is lost quietly.
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
 * Notices within seconds that the reader of JSON lines has left, though there is nothing to print: a space before the next
 * line means nothing to JSON. Ends with the function it returns.
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

/** `2>&1`: who reads notes and results together has left both. Where pipes have no identity this is not known. */
function isOnePipe(one: number, other: number): boolean {
  const [first, second] = [fstatSync(one), fstatSync(other)];
  return first.ino !== 0 && first.ino === second.ino && first.dev === second.dev && isPipe(one);
}
