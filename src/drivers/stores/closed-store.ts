import { QuarryError } from '../../core/errors.ts';

/** The error for any call on a store that was closed. */
export function closedStore(): QuarryError {
  return new QuarryError(
    'store-unusable',
    'The index was used after it was closed.',
    'Open the project again before using it.',
  );
}
