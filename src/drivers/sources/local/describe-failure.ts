import { messageOf, QuarryError } from '../../../core/errors.ts';

/** What went wrong with a path, without its absolute path. */
export function describeFailure(thrown: unknown): string {
  if (thrown instanceof QuarryError) return thrown.message;
  const message = messageOf(thrown);
  return message.startsWith('ENOENT') ? 'no longer there' : message.replace(/, \w+ '.*$/s, '');
}
