import { z } from 'zod';

const name = z.string().min(1);

/** What can be said of the reranker; each driver takes the settings that apply to it and refuses the others. */
export const rerankerSchema = z.strictObject({
  driver: name
    .default('auto')
    .describe(
      'What looks closer at the best hits and puts them in order: maxsim, cross-encoder, a server that speaks like cohere, jina or tei, or none. By default maxsim with the bundled model and the shared cache, none otherwise.',
    ),
  model: name
    .optional()
    .describe('Folder of a cross-encoder (model.onnx, tokenizer.json), or what a server calls its model.'),
  url: name
    .optional()
    .describe('Address of a server, without /rerank; by default the provider’s own where there is one.'),
  device: name
    .optional()
    .describe('What a cross-encoder computes on: cpu (default), cuda, tensorrt, coreml, dml or webgpu.'),
  budget_ms: z
    .int()
    .min(0)
    .max(10_000)
    .optional()
    .describe(
      'How many milliseconds a search waits for that at most; what is done by then counts. By default 120 for maxsim and 500 for the others.',
    ),
});
