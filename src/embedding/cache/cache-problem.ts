import { messageOf, QuarryError } from '../../core/errors.ts';
import { extendedCode, isBusy, resultCodes } from '../../platform/sqlite/result-code.ts';

const unusableCodes: readonly number[] = [
  resultCodes.permission,
  resultCodes.noMemory,
  resultCodes.readOnly,
  resultCodes.interrupted,
  resultCodes.inputOutput,
  resultCodes.notFound,
  resultCodes.full,
  resultCodes.cannotOpen,
  resultCodes.protocol,
  resultCodes.tooLargeForSystem,
  resultCodes.authorisation,
];
/** A read that ended before its page did: the file has been cut. */
const shortRead = 522;

/** What went wrong with the file of the cache, as the user has to understand it. */
export function cacheProblem(thrown: unknown, path: string): QuarryError {
  if (thrown instanceof QuarryError) return thrown;
  const code = extendedCode(thrown);
  const detail = messageOf(thrown);
  if (isBusy(thrown)) {
    return new QuarryError(
      'store-busy',
      `Other processes keep the vector cache ${path} busy; some vectors were not kept.`,
      'Run the same command again later if this does not pass.',
      { cause: thrown },
    );
  }
  if (code === undefined || (code !== shortRead && unusableCodes.includes(code & 0xff))) {
    return new QuarryError(
      'store-unusable',
      `The vector cache ${path} cannot be used: ${detail}.`,
      'Check that its folder may be written and has free space, or set cache.max_bytes = 0.',
      { cause: thrown },
    );
  }
  return damagedCache(path, detail, thrown);
}

/** The problem of a file that is no cache, or no longer one. */
export function damagedCache(path: string, detail: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'store-corrupt',
    `The vector cache ${path} is damaged: ${detail}.`,
    'Nothing needs to be done: it is set aside, and vectors are made again where they are needed.',
    { cause },
  );
}

/** The problem of a file in a format that only a later version knows. */
export function cacheTooNew(path: string, version: number): QuarryError {
  return new QuarryError(
    'store-too-new',
    `The vector cache ${path} was written by a newer Quarry (format ${version}).`,
    'Update Quarry, or delete the file.',
  );
}
