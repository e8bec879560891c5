import { z } from 'zod';
import { isVirtual } from '../../core/document.ts';
import { exitCodeOf } from '../../core/errors.ts';
import { observe } from '../../platform/streams.ts';
import { defineOperation } from '../operation.ts';
import { defectSchema, defectToData } from './verify.ts';

/** Repairs what `verify` finds, and reads again the documents that cannot be repaired in place. */
export const repairOperation = defineOperation({
  effect: 'writes',
  repeatable: true,
  reach: 'project',
  input: z.strictObject({}),
  output: z.object({
    rebuilt: z.boolean().describe('Whether the index could not be repaired and was rebuilt from the files.'),
    mended: z.array(defectSchema),
    read_again: z.array(z.string()).describe('Documents whose stored content was damaged.'),
    restored: z
      .array(z.string())
      .describe('Added content that was brought into the index from its kept files.'),
    lost: z.array(defectSchema).describe('Added content that is damaged in its file and not in the index.'),
  }),
  exitCode: ({ lost }) => (lost.length > 0 ? exitCodeOf('store-corrupt') : 0),
  examples: [{ input: {}, explains: 'after `quarry verify` has found something' }],
  events: async () => (await import('../../core/events.ts')).indexEventSchema,
  async *run(project, _, { signal }) {
    const restored: string[] = [];
    const work = observe(project.repair(signal ? { signal } : {}), (event) => {
      if (event.type === 'document-indexed' && isVirtual(event.uri)) restored.push(event.uri);
    });
    const { rebuilt, repaired, removed, lost } = yield* work;
    return {
      rebuilt,
      mended: repaired.map(defectToData),
      read_again: [...removed],
      restored,
      lost: lost.map(defectToData),
    };
  },
});
