import { z } from 'zod';
import { citationOf } from '../../core/text/citation.ts';
import { defineOperation } from '../operation.ts';

const count = z.int().min(0);

/** Places the chunks of the index in a plane, by their vectors. */
export const mapOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({
    limit: z
      .int()
      .min(1)
      .max(200_000)
      .default(50_000)
      .describe('Chunks to place at most: of more, a sample evenly over all documents.'),
    fine: z
      .boolean()
      .default(false)
      .describe('Move neighbours together; without it, the two axes along which the vectors differ most.'),
  }),
  output: z.object({
    chunks: count.describe('Chunks that are placed.'),
    embedded: count.describe('Chunks that have a vector.'),
    areas: z
      .array(z.object({ words: z.array(z.string()), chunks: count }))
      .describe('Chunks that mean alike, the most first, with words that set them off from the others.'),
    documents: z
      .array(z.object({ path: z.string(), type: z.string(), modified_at: z.string() }))
      .describe('The documents that points belong to.'),
    points: z
      .object({
        document: z.array(count).describe('The position of its document in `documents`.'),
        chunk: z.array(z.string()).describe('Its identity, as in a search result.'),
        citation: z.array(z.string()).describe('Its place, for a person.'),
        x: z.array(count).describe('From 0 to 65,535.'),
        y: z.array(count),
        area: z.array(count).describe('The position of its area in `areas`.'),
        day: z.array(count).describe('When its content was written, in days since 1970.'),
        copy: z.array(z.int()).describe('The first chunk with the same text; -1 where there is no other.'),
      })
      .describe('One entry a chunk in each list.'),
  }),
  examples: [
    { input: {}, explains: 'places of all chunks, at once' },
    { input: { fine: true }, explains: 'places where neighbours lie together' },
  ],
  async *run(project, { limit, fine }, { signal }) {
    const { mapProject } = await import('../../map/map-project.ts');
    const { points: placed, areas } = await mapProject(project, { limit, fine, signal });
    const documents = new Map<string, number>();
    const listed: { path: string; type: string; modified_at: string }[] = [];
    const whole = (share: number): number => Math.round(share * 65_535);
    const document = placed.map(({ uri, type, modifiedAt }) => {
      const known = documents.get(uri);
      if (known !== undefined) return known;
      documents.set(uri, listed.length);
      listed.push({ path: uri, type, modified_at: new Date(modifiedAt).toISOString() });
      return listed.length - 1;
    });
    const { fingerprint } = await project.embedder();
    const { spaces } = await (await project.store()).state();
    return {
      chunks: placed.length,
      embedded: spaces.get(fingerprint)?.embedded ?? 0,
      areas: areas.map(({ words, chunks }) => ({ words: [...words], chunks })),
      documents: listed,
      points: {
        document,
        chunk: placed.map(({ id }) => id),
        citation: placed.map(({ uri, place }) => citationOf(uri, place)),
        x: placed.map(({ x }) => whole(x)),
        y: placed.map(({ y }) => whole(y)),
        area: placed.map(({ area }) => area),
        day: placed.map(({ writtenAt }) => Math.max(0, Math.floor(writtenAt / 86_400_000))),
        copy: placed.map(({ copyOf = -1 }) => copyOf),
      },
    };
  },
});
