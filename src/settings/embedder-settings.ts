import { z } from 'zod';

const name = z.string().min(1);

/** What can be said of one embedder; each driver takes the settings that apply to it and refuses the others. */
const embedderShape = {
  driver: name
    .default('local')
    .describe(
      'What makes the vectors, by which texts are found by meaning: a model on this machine (local), or a server.',
    ),
  model: name
    .optional()
    .describe('The model: one that was added, by name, a folder, or what the server calls it.'),
  device: z
    .string()
    .optional()
    .describe('What the local model computes on: cpu (default), cuda, tensorrt, coreml, dml or webgpu.'),
  url: z.string().optional().describe('Address of an embedding server.'),
  dimensions: z
    .int()
    .min(1)
    .max(65_536)
    .optional()
    .describe('How many numbers a vector has, where a provider can shorten them.'),
  max_tokens: z
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe('How many tokens a server of the driver openai takes at once; longer text is sent in parts.'),
  concurrency: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'How many requests a server gets at the same time; by default 4 (tei 8), or two for each thread where that is more.',
    ),
  query_prefix: z
    .string()
    .optional()
    .describe('Text to put before each question, where the server does not do it.'),
  passage_prefix: z
    .string()
    .optional()
    .describe('Text to put before each chunk, where the server does not do it.'),
  space: name
    .optional()
    .describe(
      'A name that two embedders share which run the same model, so that they share their vectors too.',
    ),
};

const described = z.strictObject(embedderShape);

/** The settings of one embedder, its driver included. */
export type EmbedderSettings = z.output<typeof described>;

/** The embedder of a project, and what to do when it fails. */
export const embedderSchema = z.strictObject({
  ...embedderShape,
  fallback: name
    .optional()
    .describe('The embedder to use while this one cannot be reached, where both make the same vectors.'),
});

/** Further embedders by name: kept up to date beside the first and chosen per question. */
export const furtherEmbeddersSchema = z.record(name, described);
