import { z } from 'zod';

/** Fields of every answer: what a model should know about it. */
export const noteFields = {
  notes: z.array(z.string()),
  details: z.array(z.string()).optional().describe('What the notes are about, quoted.'),
};

/** Fields of an answer, and what a model should know about it. */
export function withNotes<Shape extends z.ZodRawShape>(fields: z.ZodObject<Shape>) {
  return fields.extend(noteFields);
}
