import { z } from 'zod';

const name = z.string().min(1);

/** What can be said of one embedder; each driver takes the settings that apply to it and refuses the others. */
const embedderShape = {
  driver: name.default('local').describe('What makes the vectors.'),
  model: name
    .optional()
    .describe('Model: the name of one that was added, a folder, or what the server calls it.'),
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
    .describe('Length of the vectors, where a provider can shorten them.'),
  max_tokens: z
    .int()
    .min(16)
    .max(1_000_000)
    .optional()
    .describe(
      'Tokens that a server of the drivers openai and tokens sees at once; longer text is sent in windows.',
    ),
  timeout_seconds: z
    .number()
    .min(0.1)
    .max(3600)
    .optional()
    .describe('How long one request to a server may take; 60 by default.'),
  concurrency: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Requests to a server at the same time; by default 4 (tei 8), or two for each thread where that is more.',
    ),
  query_prefix: z.string().optional().describe('Put before questions, where a server does not do it.'),
  passage_prefix: z
    .string()
    .optional()
    .describe('Put before the text of chunks, where a server does not do it.'),
  binary: z
    .boolean()
    .optional()
    .describe(
      'Whether tokens and vectors of the driver tokens travel as bytes, where the server understands it.',
    ),
  space: name
    .optional()
    .describe(
      'Vector space of a server that runs the same model as another embedder, so that they share vectors.',
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
    .describe('Embedder to use while this one cannot be reached, where the vector spaces allow it.'),
});

/** Further embedders by name: kept up to date beside the first and chosen per question. */
export const furtherEmbeddersSchema = z.record(name, described);
