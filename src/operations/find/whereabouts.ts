import { z } from 'zod';
import { type Place, placeSchema } from '../../core/place.ts';
import { citationOf, linesOf } from '../../core/text/citation.ts';

/** The fields that say where a text is. */
export const whereabouts = {
  citation: z.string().describe('Path and place, for a person: `src/a.ts:3-9`, `report.pdf, page 3`.'),
  place: placeSchema,
  lines: z
    .tuple([z.int(), z.int()])
    .optional()
    .describe(
      'First and last line of the file, counted from 1; absent where the place is not given in lines.',
    ),
};

/** Where a text is, as data. */
export function whereaboutsOf(uri: string, place: Place) {
  const lines = linesOf(place);
  return { citation: citationOf(uri, place), place, ...(lines && { lines: [...lines] as [number, number] }) };
}
