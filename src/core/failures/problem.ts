import { z } from 'zod';
import { errorFromData, errorToData, QuarryError } from '../errors.ts';

/** An error as data for a caller: what happened and what to do. */
export const problemSchema = z.object({
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  retryAfter: z.number().optional().describe('Milliseconds after which the same call may succeed.'),
});

/** An error in an event: a QuarryError in the process, data outside of it. */
export const problemCodec = z.codec(problemSchema, z.instanceof(QuarryError), {
  decode: errorFromData,
  encode: errorToData,
});
