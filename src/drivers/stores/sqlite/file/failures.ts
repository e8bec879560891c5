import { messageOf, QuarryError } from '../../../../core/errors.ts';
import { isLockRefused, locksMissing } from '../../../../platform/sqlite/file-locks.ts';
import { extendedCode, isBusy, resultCode, resultCodes } from '../../../../platform/sqlite/result-code.ts';

const corruptCodes: readonly number[] = [resultCodes.corrupt, resultCodes.notADatabase];
const unusableCodes: readonly number[] = [
  resultCodes.cannotOpen,
  resultCodes.permission,
  resultCodes.inputOutput,
  resultCodes.protocol,
  resultCodes.authorisation,
];

/** What can be found out about a file when a statement has failed; what is not given speaks for the file. */
export interface Evidence {
  /** Whether the file still has the tables it should have. */
  readonly hasLayout?: () => boolean;
  /** Whether the system would let the file be written. */
  readonly mayWrite?: () => boolean;
}

/** What went wrong in SQLite, as the user has to understand it; other errors come back as they are. */
export function storeFailure(thrown: unknown, path: string, evidence: Evidence = {}): unknown {
  const code = resultCode(thrown);
  const detail = messageOf(thrown);
  // Asked first: without the module no layout is what it should be, and no repair would help.
  if (code === resultCodes.error && detail === 'no such module: fts5') {
    const message = `Node.js ${process.versions.node} was built without full-text search.`;
    return failure('requirement-missing', message, 'Install Node.js 22.16 or newer.', thrown);
  }
  if (isCorruption(thrown, code, evidence)) {
    return failure('store-corrupt', `The index ${path} is damaged: ${detail}.`, corruptRemedy, thrown);
  }
  if (code === undefined) return thrown;
  if (isLockRefused(thrown)) return locksMissing(path, thrown);
  if (isBusy(thrown)) {
    const remedy = 'Wait until the other process has finished, then try again.';
    return failure('store-busy', `Another process keeps writing the index ${path}.`, remedy, thrown);
  }
  if (code === resultCodes.full) {
    const remedy = 'Free some space on that disk and run the same command again; finished work is kept.';
    return failure('store-unusable', `There is no space left to write the index ${path}.`, remedy, thrown);
  }
  if (code === resultCodes.readOnly) {
    const remedy = 'Make the file and its folder writable, then try again.';
    return failure('store-unusable', `The index ${path} may be read but not written.`, remedy, thrown);
  }
  if (unusableCodes.includes(code)) {
    const remedy = 'Check that its folder exists, may be written and has free space.';
    return failure(
      'store-unusable',
      `The index ${path} cannot be opened or written: ${detail}.`,
      remedy,
      thrown,
    );
  }
  const remedy = 'Report this with the command that led to it.';
  return failure('internal', `SQLite refused a statement: ${detail}.`, remedy, thrown);
}

const damagePattern =
  /^(no such (table|column|index)|duplicate column|vtable |invalid fts5 file format|JSON cannot hold BLOB)/;
const corruptRemedy = 'Run: quarry repair';

// The statements of this store are fixed and its rows are its own: a table that is not there, a number beyond all
// that was ever written or a JSON text that ends too soon is damage like any other.
function isCorruption(thrown: unknown, code: number | undefined, evidence: Evidence): boolean {
  if (code === undefined) return thrown instanceof SyntaxError || isOutOfRange(thrown);
  if (corruptCodes.includes(code)) return true;
  // A header of an unknown format makes SQLite take the file as one that is only read; a file that was moved away or a
  // WAL that cannot be used has a code of its own.
  if (code === resultCodes.readOnly) return extendedCode(thrown) === code && evidence.mayWrite?.() === true;
  // A tokenizer that does not exist, a key that leads nowhere: there are as many messages as ways to damage a layout.
  return (
    code === resultCodes.error && (damagePattern.test(messageOf(thrown)) || evidence.hasLayout?.() === false)
  );
}

function isOutOfRange(thrown: unknown): boolean {
  return thrown instanceof RangeError && 'code' in thrown && thrown.code === 'ERR_OUT_OF_RANGE';
}

function failure(
  code: ConstructorParameters<typeof QuarryError>[0],
  message: string,
  remedy: string,
  cause: unknown,
): QuarryError {
  return new QuarryError(code, message, remedy, { cause });
}
