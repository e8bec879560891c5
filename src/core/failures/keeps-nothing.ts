import { QuarryError } from '../errors.ts';

const message = 'The store "mock" keeps nothing, so nothing is found.';

/** The warning of a search in a store that takes everything and keeps nothing. */
export function keepsNothing(): QuarryError {
  return new QuarryError(
    'index-stale',
    message,
    'Take store.driver out of the settings, or name another one.',
  );
}

/** Whether an answer holds nothing because its store keeps nothing. */
export function isKeepingNothing(warnings: readonly { readonly message: string }[]): boolean {
  return warnings.some((warning) => warning.message === message);
}
