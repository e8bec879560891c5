import { readFile, stat } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { z } from 'zod';
import { messageOf, QuarryError } from '../core/errors.ts';
import { rememberedHashOfFile } from './file-hash.ts';
import { refuseTooLarge } from './file-size.ts';
import type { InstalledModel, ModelCard } from './model-card.ts';
import { codeOf } from './staging-folder.ts';

/** Where exports put the weights, best first. */
const weightPlaces = ['model.onnx', 'onnx/model.onnx', 'onnx/model_quantized.onnx', 'model_quantized.onnx'];
/** Longest window taken from a config: memory grows with its square. A larger one is the user's to state. */
const maxWindow = 2048;

const count = z.int().min(1).max(1_000_000);

/** `quarry-model.json`: what the other files leave out or state wrongly. */
const overrides = z.strictObject({
  weights: z
    .string()
    .regex(/^(?!.*\.\.)[^\\/:][^\\:]*$/, 'must be a path below the folder')
    .optional(),
  dimensions: count.optional(),
  window_tokens: count.min(8).optional(),
  pooling: z.enum(['mean', 'first']).optional(),
  query_model: z.string().optional(),
  query_prefix: z.string().optional(),
  passage_prefix: z.string().optional(),
  precision: z.enum(['int8', 'fp32', 'fp16', 'q4']).optional(),
});

const config = z.looseObject({
  model_type: z.string().optional(),
  hidden_size: count.optional(),
  n_embd: count.optional(),
  d_model: count.optional(),
  dim: count.optional(),
  max_position_embeddings: count.optional(),
  n_positions: count.optional(),
  max_trained_positions: count.optional(),
});

const sentenceConfig = z.looseObject({ max_seq_length: count.nullish() });
const poolingConfig = z.looseObject({});
const promptConfig = z.looseObject({
  prompts: z.record(z.string(), z.string()).nullish(),
  default_prompt_name: z.string().nullish(),
});
const moduleList = z.array(z.looseObject({ type: z.string().optional() }));

/** Opens a folder with `tokenizer.json` and ONNX weights as a model; the hashes on its card are what is there now. */
export async function openModelFolder(path: string): Promise<InstalledModel> {
  const folder = resolve(path);
  // What cannot be looked at is no folder to load from.
  if (!(await stat(folder).catch(() => undefined))?.isDirectory()) throw noFolder(path, folder);
  const own = (await readJson(folder, 'quarry-model.json', overrides)) ?? {};
  const weights = await findWeights(folder, own.weights);
  await refuseTooLarge(join(folder, weights));
  await refuseUnsupported(folder, weights);
  const [described, window, pooling, prefixes] = await Promise.all([
    readJson(folder, 'config.json', config),
    own.window_tokens ?? readWindow(folder),
    own.pooling ?? readPooling(folder),
    readPrefixes(folder),
  ]);
  const dimensions =
    own.dimensions ?? described?.hidden_size ?? described?.n_embd ?? described?.d_model ?? described?.dim;
  if (dimensions === undefined) throw notStated(folder, 'hidden_size', 'dimensions');
  const card: ModelCard = {
    name: basename(folder) || 'model',
    dimensions,
    windowTokens: window,
    pooling,
    ...(own.query_model !== undefined && { queryModel: own.query_model }),
    queryPrefix: own.query_prefix ?? prefixes.query,
    passagePrefix: own.passage_prefix ?? prefixes.passage,
    precision: own.precision ?? precisionOf(weights),
    files: {
      'model.onnx': await rememberedHashOfFile(join(folder, weights)),
      'tokenizer.json': await hashOfTokenizer(folder),
    },
  };
  return { card, folder, weights, remedy: 'Check the folder of the model and run the command again.' };
}

async function findWeights(folder: string, stated: string | undefined): Promise<string> {
  const places = stated === undefined ? weightPlaces : [stated];
  for (const place of places) {
    // Not there: the next place is tried.
    if ((await stat(join(folder, place)).catch(() => undefined))?.isFile()) return place;
  }
  throw new QuarryError(
    'model-not-found',
    `The model folder ${folder} has no weights: none of ${places.join(', ')}.`,
    'Export the model to ONNX and put the file there.',
  );
}

async function hashOfTokenizer(folder: string): Promise<string> {
  return rememberedHashOfFile(join(folder, 'tokenizer.json')).catch((cause: unknown) => {
    throw new QuarryError(
      'model-not-found',
      `The model folder ${folder} has no tokenizer.json that can be read.`,
      'Copy the tokenizer.json that was published with the model into the folder.',
      { cause },
    );
  });
}

/** Refuses what would load but give wrong vectors, or fail in words that help nobody. */
async function refuseUnsupported(folder: string, weights: string): Promise<void> {
  for (const ending of ['_data', '.data']) {
    // No such file: the weights are in one.
    if (!(await stat(join(folder, weights + ending)).catch(() => undefined))) continue;
    throw new QuarryError(
      'config-invalid',
      `The weights of ${folder} are split over ${weights} and ${weights}${ending}.`,
      'Export the model as one ONNX file.',
    );
  }
  const modules = await readJson(folder, 'modules.json', moduleList);
  if (modules?.some(({ type }) => type?.endsWith('.Dense'))) {
    throw new QuarryError(
      'config-invalid',
      `The model in ${folder} has a dense layer after pooling, which cannot be run here.`,
      'Choose a model whose vector is the mean or the first of its token vectors.',
    );
  }
}

async function readWindow(folder: string): Promise<number> {
  const sentence = await readJson(folder, 'sentence_bert_config.json', sentenceConfig);
  const described = (await readJson(folder, 'config.json', config)) ?? {};
  // This family counts its positions from two on.
  const reserved = /roberta|camembert|mpnet/.test(described.model_type ?? '') ? 2 : 0;
  const positions =
    described.max_position_embeddings ?? described.max_trained_positions ?? described.n_positions;
  const stated = [
    sentence?.max_seq_length ?? undefined,
    positions === undefined ? undefined : positions - reserved,
  ].filter((value) => value !== undefined);
  if (stated.length === 0) throw notStated(folder, 'max_position_embeddings', 'window_tokens');
  return Math.min(maxWindow, ...stated);
}

async function readPooling(folder: string): Promise<ModelCard['pooling']> {
  const stated = (await readJson(folder, '1_Pooling/config.json', poolingConfig)) ?? {};
  const modes = Object.entries(stated).filter(
    ([key, value]) => key.startsWith('pooling_mode_') && value === true,
  );
  const names = modes.map(([key]) => key.slice('pooling_mode_'.length));
  if (names.length === 0) return 'mean';
  if (names.length === 1 && names[0] === 'cls_token') return 'first';
  // The two differ in length only, and vectors are brought to length one.
  if (names.length === 1 && (names[0] === 'mean_tokens' || names[0] === 'mean_sqrt_len_tokens'))
    return 'mean';
  throw new QuarryError(
    'config-invalid',
    `The model in ${folder} pools by ${names.join(' and ')}, which cannot be done here.`,
    'Choose a model that pools by mean_tokens or cls_token.',
  );
}

async function readPrefixes(folder: string): Promise<{ query: string; passage: string }> {
  const stated = await readJson(folder, 'config_sentence_transformers.json', promptConfig);
  const prompts = stated?.prompts ?? {};
  const fallback = prompts[stated?.default_prompt_name ?? ''] ?? '';
  return {
    query: prompts.query ?? fallback,
    passage: prompts.document ?? prompts.passage ?? fallback,
  };
}

function precisionOf(weights: string): ModelCard['precision'] {
  if (/quantized|int8|uint8/.test(weights)) return 'int8';
  if (/fp16/.test(weights)) return 'fp16';
  return /q4/.test(weights) ? 'q4' : 'unknown';
}

/** A JSON file of the folder; undefined where there is none. */
async function readJson<Schema extends z.ZodType>(
  folder: string,
  name: string,
  schema: Schema,
): Promise<z.output<Schema> | undefined> {
  const path = join(folder, name);
  try {
    const value: unknown = JSON.parse((await readFile(path, 'utf8')).replace(/^\ufeff/, ''));
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    const [issue] = parsed.error.issues;
    throw badFile(path, `${issue?.path.join('.') || 'its content'}: ${issue?.message}`);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    if (codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR') return undefined;
    throw badFile(path, messageOf(cause), cause);
  }
}

function badFile(path: string, reason: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The model file ${path} cannot be used: ${reason}.`,
    'Correct the file.',
    {
      cause,
    },
  );
}

function notStated(folder: string, key: string, own: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `The model folder ${folder} does not state ${key} in a config.json.`,
    `Copy the model\u2019s config.json into the folder, or state ${own} in a quarry-model.json there.`,
  );
}

function noFolder(path: string, folder: string): QuarryError {
  return new QuarryError(
    'model-not-found',
    `"${path}" is not a model: there is no folder ${folder}.`,
    'Give the path of a folder with model.onnx and tokenizer.json, or a name that quarry model list shows.',
  );
}
