import { QuarryError } from '../../../../core/errors.ts';

/** The error for a file that this user did not make, with the reason in words. */
export function foreignIndex(path: string, why: string): QuarryError {
  return new QuarryError(
    'store-foreign',
    `The index ${path} was not made by you: ${why}.`,
    'Move it away, then run: quarry index',
  );
}

/** The error for a file of a time before indexes said who made them. */
export function previousIndex(path: string): QuarryError {
  return new QuarryError(
    'store-foreign',
    `The index ${path} is of an earlier version of Quarry, whose indexes do not say who made them.`,
    'Move it away, then run: quarry index',
  );
}

/** The error for a row that this user did not write. */
export function foreignRow(): QuarryError {
  return new QuarryError(
    'store-foreign',
    'The index contains a text that you did not put there, or that was changed afterwards.',
    'Run: quarry repair',
  );
}
