import { messageOf, QuarryError } from '../../../core/errors.ts';

// Primary result codes of SQLite; the low byte of an extended code.
const busyCodes = [5, 6];
const corruptCodes = [11, 26];
const unusableCodes = [3, 8, 10, 13, 14, 15, 23];

/** What went wrong in SQLite, as the user has to understand it; other errors come back as they are. */
export function storeFailure(thrown: unknown, path: string): unknown {
  const code = resultCode(thrown);
  if (code === undefined) return thrown;
  const detail = messageOf(thrown);
  if (busyCodes.includes(code)) {
    return new QuarryError(
      'store-busy',
      `Another process keeps writing the index ${path}.`,
      'Wait until the other process has finished, then try again.',
      { cause: thrown },
    );
  }
  if (corruptCodes.includes(code)) {
    return new QuarryError(
      'store-corrupt',
      `The index ${path} is damaged: ${detail}.`,
      'Run: quarry index --full',
      { cause: thrown },
    );
  }
  if (unusableCodes.includes(code)) {
    return new QuarryError(
      'store-unusable',
      `The index ${path} cannot be opened or written: ${detail}.`,
      'Check that its folder exists, may be written and has free space.',
      { cause: thrown },
    );
  }
  if (detail.includes('no such module: fts5')) {
    return new QuarryError(
      'runtime-unsupported',
      `Node.js ${process.versions.node} was built without full-text search.`,
      'Install Node.js 22.16 or newer.',
      { cause: thrown },
    );
  }
  return new QuarryError(
    'internal',
    `SQLite refused a statement: ${detail}.`,
    'Report this with the command that led to it.',
    { cause: thrown },
  );
}

function resultCode(thrown: unknown): number | undefined {
  if (!(thrown instanceof Error) || !('errcode' in thrown)) return undefined;
  return typeof thrown.errcode === 'number' ? thrown.errcode & 0xff : undefined;
}
