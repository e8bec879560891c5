import { resolve } from 'node:path';
import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { defineOperation } from '../operation.ts';

const count = z.int().min(0);

/** Writes the index of a project to a file, for others who have the same files. */
export const exportOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['file'],
  input: z.strictObject({
    file: z.string().min(1).describe('The file to write.'),
    all: z
      .boolean()
      .default(false)
      .describe('Mail, conversations, contacts, events and notes too; added content never travels.'),
  }),
  output: z.object({
    file: z.string(),
    bytes: count,
    documents: count,
    chunks: count,
    left: count.describe(
      'Documents that stay here: added content, personal ones, and what is not up to date.',
    ),
    maker: z.string().describe('The fingerprint of your key: what others trust.'),
    seconds: z.number().min(0),
  }),
  examples: [{ input: { file: 'project.quarry' }, explains: 'for colleagues who have the same files' }],
  events: async () => (await import('../../core/events.ts')).migrationEventSchema,
  async *run(project, { file: given, all }, { signal }) {
    const started = performance.now();
    const { exportIndex } = await import('../../migration/handed/export-index.ts');
    const { ownMaker } = await import('../../user/maker-key.ts');
    const file = resolve(given);
    const maker = await ownMaker(processEnvironment);
    const exported = yield* exportIndex(await project.store(), project.settings, maker, {
      file,
      all,
      signal,
    });
    const { bytes, documents, chunks, left } = exported;
    const seconds = (performance.now() - started) / 1000;
    return { file, bytes, documents, chunks, left, maker: maker.fingerprint, seconds };
  },
});

/** Takes over the index that somebody made of the same files, then reads what differs. */
export const importOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['file'],
  input: z.strictObject({ file: z.string().min(1).describe('A file that `quarry export` made.') }),
  output: z.object({
    file: z.string(),
    maker: z.string().describe('The fingerprint of the key that signed it.'),
    made_at: z.string(),
    taken: count.describe('Documents that were taken over.'),
    present: count.describe('Documents that the index had already.'),
    changed: count.describe('Documents whose file differs here: they were read.'),
    absent: count.describe('Documents without a file here, or whose file is left out here.'),
    read: count.describe('Files that were read in the run after it.'),
    seconds: z.number().min(0),
  }),
  examples: [
    { input: { file: 'project.quarry' }, explains: 'what CI or a colleague has made, instead of indexing' },
  ],
  events: async () => (await import('../../core/events.ts')).migrationEventSchema,
  async *run(project, { file: given }, { signal }) {
    const started = performance.now();
    const { importIndex } = await import('../../migration/handed/import-index.ts');
    const { fingerprintOf, isSignedBy } = await import('../../user/maker-key.ts');
    const { layerOf } = await import('../../opening/driver-context.ts');
    const file = resolve(given);
    const { folder, settings, origins } = project;
    // Where the embedder cannot be opened, the run says why.
    const space = await project.embedder().then(
      ({ fingerprint }) => fingerprint,
      () => undefined,
    );
    let maker = '';
    let madeAt = '';
    const imported = yield* importIndex(
      {
        folder,
        environment: processEnvironment,
        end: { settings, addressLayer: layerOf(origins, /^store\.(driver|url)$/) },
        space,
        isSigned: isSignedBy,
        async admit({ maker: publicKey, made_at }) {
          maker = fingerprintOf(publicKey);
          madeAt = made_at;
          await requireTrustedMaker(project, file, maker);
        },
      },
      file,
      signal,
    );
    const read = yield* indexed(project, signal);
    const { taken, present, changed, absent } = imported;
    const seconds = (performance.now() - started) / 1000;
    return { file, maker, made_at: madeAt, taken, present, changed, absent, read, seconds };
  },
});

/** Brings the index up to date, and returns how many files were read. */
async function* indexed(
  project: Project,
  signal: AbortSignal | undefined,
): AsyncGenerator<IndexEvent, number> {
  let read = 0;
  for await (const event of project.index(signal ? { signal } : {})) {
    if (event.type === 'index-end') read = event.summary.documents.indexed;
    yield event;
  }
  return read;
}

async function requireTrustedMaker({ folder }: Project, file: string, maker: string): Promise<void> {
  const { ownMaker, trustedMakers } = await import('../../user/maker-key.ts');
  if ((await trustedMakers(processEnvironment).of(folder)).includes(maker)) return;
  if ((await ownMaker(processEnvironment)).fingerprint === maker) return;
  throw new QuarryError(
    'trust-missing',
    `${file} was made by ${maker}, and you have not agreed to take over an index of theirs in this project.`,
    `Compare that with what quarry export printed for its maker, then run: quarry trust give --maker ${maker}`,
  );
}
