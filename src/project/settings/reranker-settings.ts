import { z } from 'zod';

const name = z.string().min(1);

/** What can be said of the reranker; each driver takes the settings that apply to it and refuses the others. */
export const rerankerSchema = z.strictObject({
  driver: name
    .default('auto')
    .describe(
      'What looks closer at the best chunks and reorders them: maxsim, cross-encoder, http or none; by default maxsim with the bundled model and the shared cache, none otherwise.',
    ),
  model: name
    .optional()
    .describe('Folder of a cross-encoder (model.onnx, tokenizer.json), or what a server calls its model.'),
  protocol: z
    .enum(['cohere', 'jina', 'tei'])
    .optional()
    .describe('How a server of the driver http is asked.'),
  url: name
    .optional()
    .describe('Address of a server, without /rerank; by default the provider’s own where there is one.'),
  threads: z
    .int()
    .min(1)
    .max(256)
    .optional()
    .describe('Threads of a cross-encoder (as `resources.threads` by default).'),
  device: name
    .optional()
    .describe('What a cross-encoder computes on: cpu (default), cuda, tensorrt, coreml, dml or webgpu.'),
  weight: z
    .number()
    .min(0)
    .max(1)
    .optional()
    .describe(
      'Share of the reranker’s scores in the new ones, before the rules about names, paths and files; by default 0.5 for maxsim and 0.8 for the others.',
    ),
  budget_ms: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      'Milliseconds that a query waits for the reranker; what it has scored within them counts. By default 120 for maxsim and 500 for the others.',
    ),
  candidates: z.int().min(2).max(200).default(20).describe('How many of the best chunks to look at.'),
});
