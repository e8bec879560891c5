import { QuarryError } from '../errors.ts';

/** The warning that nothing can be found yet. */
export function notIndexed(): QuarryError {
  return new QuarryError(
    'index-stale',
    'The files of this project are not indexed yet.',
    'Run: quarry index',
  );
}
