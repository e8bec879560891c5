import { z } from 'zod';
import { defectKinds, type StoreDefect } from '../../contracts/store.ts';
import { defineOperation } from '../operation.ts';

/** Defects that are listed; the others are only counted. */
const listedDefects = 1000;

export const defectSchema = z.object({
  kind: z.enum(defectKinds),
  path: z.string().optional().describe('The document it concerns.'),
  detail: z.string(),
});

/** A defect in the words of the surfaces. */
export function defectToData({ kind, uri, detail }: StoreDefect): z.output<typeof defectSchema> {
  return { kind, detail, ...(uri !== undefined && { path: uri }) };
}

/** Checks the whole index and the files of added content. It reads no other file and changes nothing. */
export const verifyOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    sound: z.boolean(),
    documents: z.int(),
    chunks: z.int(),
    defect_count: z.int(),
    defects: z.array(defectSchema).describe('The first thousand of them.'),
    seconds: z.number(),
  }),
  examples: [{ input: {}, explains: 'is everything in the index as it should be?' }],
  exitCode: ({ sound }) => (sound ? 0 : 6),
  async *run(project, _, { signal }) {
    const started = performance.now();
    const defects: z.output<typeof defectSchema>[] = [];
    let count = 0;
    for await (const defect of project.verify(signal ? { signal } : {})) {
      count += 1;
      if (defects.length < listedDefects) defects.push(defectToData(defect));
    }
    // An index that cannot be counted has its defects listed above.
    const { counts } = await project.status({ compare: false }).catch(() => ({
      counts: { documents: 0, chunks: 0 },
    }));
    return {
      sound: count === 0,
      documents: counts.documents,
      chunks: counts.chunks,
      defect_count: count,
      defects,
      seconds: (performance.now() - started) / 1000,
    };
  },
});
