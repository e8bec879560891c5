import type { ErrorCode } from '../error-catalogue.ts';
import { messageOf, QuarryError } from '../errors.ts';

const tooManyFiles =
  'Allow the process more open files (ulimit -n), or close other programs, and run it again.';
const tooLittleMemory = 'Free memory, or lower resources.memory_mb, and run it again.';

/** Remedies for failures of the machine, by the code of the system. */
const remedies: Readonly<Record<string, string>> = {
  EMFILE: tooManyFiles,
  ENFILE: tooManyFiles,
  ENOMEM: tooLittleMemory,
  EAGAIN: tooLittleMemory,
  ERR_WORKER_INIT_FAILED: `${tooManyFiles.slice(0, -1)}; or free memory.`,
  EIO: 'Check the disk, and run it again.',
  ENOSPC: 'Free space on the disk, and run it again.',
};

/** Error codes that blame the installation or the machine, never the document. */
const machineCodes: readonly ErrorCode[] = ['machine-failed', 'requirement-missing', 'model-not-found'];

/** The error for a thrown value that is a failure of the machine (no memory, no file handle); otherwise undefined. */
export function machineFailure(thrown: unknown): QuarryError | undefined {
  if (thrown instanceof QuarryError) return machineCodes.includes(thrown.code) ? thrown : undefined;
  const remedy = remedies[systemCodeOf(thrown) ?? ''];
  if (remedy === undefined) return undefined;
  return new QuarryError('machine-failed', `The machine failed: ${messageOf(thrown)}.`, remedy, {
    cause: thrown,
  });
}

/** The code that the system or the runtime gave an error: `EMFILE`, `ERR_WORKER_OUT_OF_MEMORY`. */
export function systemCodeOf(thrown: unknown): string | undefined {
  const code = typeof thrown === 'object' && thrown !== null && 'code' in thrown ? thrown.code : undefined;
  return typeof code === 'string' ? code : undefined;
}

/** The error for a thread that ended before its work did. */
export function threadFailure(reason: string, cause?: unknown): QuarryError {
  const remedy = 'Run it again; if that does not help, free memory, or allow more open files (ulimit -n).';
  return new QuarryError('machine-failed', `A thread stopped: ${reason}.`, remedy, { cause });
}
