import { z } from 'zod';

/** Fields of an answer, and what a model should know about it. */
export function withNotes<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  return fields.extend({ notes: z.array(z.string()) });
}
