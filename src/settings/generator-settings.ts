import { z } from 'zod';

const name = z.string().min(1);

/** What can be said of the model that writes answers; each driver takes the settings that apply to it. */
export const generatorSchema = z.strictObject({
  driver: name
    .default('auto')
    .describe(
      'What writes answers: openai, anthropic, gemini, gguf (a file), none, or auto: a model server of this machine, where one runs.',
    ),
  model: name.optional().describe('What the server calls its model, or the path of a GGUF file.'),
  url: name
    .optional()
    .describe('Address of a server, like http://127.0.0.1:11434/v1; by default the provider’s own.'),
  device: name.optional().describe('What a GGUF model computes on: cpu (default), cuda, metal or vulkan.'),
  max_tokens: z
    .int()
    .min(16)
    .max(65_536)
    .default(512)
    .describe('Maximum length of an answer, in tokens of the model.'),
});
