import { z } from 'zod';
import type { ContextSource } from '../../core/context.ts';
import { whereabouts, whereaboutsOf } from './whereabouts.ts';

/** A text of a context block as data for a surface. */
export const sourceSchema = z.object({
  number: z.int().describe('Its number in the block, counted from 1.'),
  path: z.string(),
  citation: whereabouts.citation,
  place: whereabouts.place.optional().describe('Absent for a whole file.'),
  lines: whereabouts.lines,
  title: z.string(),
  type: z.string(),
  section: z.string().describe('Heading path or scope.'),
  relevance: z.number().min(0).max(1).optional().describe('Absent where the user named the file.'),
  text: z.string(),
  is_cut: z.boolean().describe('Whether the end of the text is left out because it was too long.'),
});
export type SourceData = z.output<typeof sourceSchema>;

export function sourceOf(source: ContextSource): SourceData {
  const { number, uri, place, title, type, section, relevance, text, isCut } = source;
  return {
    number,
    path: uri,
    ...(place ? whereaboutsOf(uri, place) : { citation: uri }),
    title,
    type,
    section,
    ...(relevance !== undefined && { relevance }),
    text,
    is_cut: isCut,
  };
}
