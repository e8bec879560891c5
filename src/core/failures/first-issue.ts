import type { z } from 'zod';
import { shortened } from '../text/shortened.ts';

/** The longest text about a bad value: the value, and so its sender, decides how long a message would be. */
const maxLength = 300;

/**
 * How what strangers send is checked: until the first mistake, since a list of all would be as long as they want it. The
 * library knows the option, but its public type does not; a test sees to it that it counts.
 */
export const untilFirstIssue = { abortEarly: true } as z.core.ParseContext<z.core.$ZodIssue>;

/** What is wrong with a value first: `path: message`, with a name for the whole where it has no path. */
export function firstIssue({ issues: [issue] }: z.core.$ZodError, whole: string): string {
  return shortened(`${issue?.path.join('.') || whole}: ${issue?.message ?? 'is not understood'}`, maxLength);
}
