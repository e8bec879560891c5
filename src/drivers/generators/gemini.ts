import { z } from 'zod';
import { chatDriver } from './http/chat-driver.ts';
import { withoutSystem } from './http/chat-protocol.ts';

const chunk = z.object({
  candidates: z
    .array(
      z.object({
        content: z
          .object({
            parts: z
              .array(z.object({ text: z.string().optional(), thought: z.boolean().optional() }))
              .optional(),
          })
          .optional(),
        finishReason: z.string().optional(),
      }),
    )
    .optional(),
  promptFeedback: z.object({ blockReason: z.string().optional() }).optional(),
  error: z.object({ message: z.string() }).optional(),
});

const goodEnds: readonly string[] = ['STOP', 'MAX_TOKENS'];

export default chatDriver('gemini', 'The models of Google, by the Gemini API.', {
  provider: {
    origin: 'https://generativelanguage.googleapis.com',
    url: 'https://generativelanguage.googleapis.com/v1beta',
    variables: ['GEMINI_API_KEY', 'GOOGLE_API_KEY'],
  },
  path: (model) => `/models/${encodeURIComponent(model.replace(/^models\//, ''))}:streamGenerateContent`,
  query: { alt: 'sse' },
  headers: (key) => (key === undefined ? {} : { 'x-goog-api-key': key }),
  body({ messages, maxTokens, temperature }) {
    const { system, turns } = withoutSystem(messages);
    return {
      ...(system !== '' && { systemInstruction: { parts: [{ text: system }] } }),
      contents: turns.map(({ role, content }) => ({
        role: role === 'assistant' ? 'model' : 'user',
        parts: [{ text: content }],
      })),
      generationConfig: { maxOutputTokens: maxTokens, temperature },
    };
  },
  read({ data }) {
    const { candidates, promptFeedback, error } = chunk.parse(JSON.parse(data));
    if (error) return { text: '', failure: error.message };
    if (promptFeedback?.blockReason)
      return { text: '', failure: `the prompt was blocked (${promptFeedback.blockReason})` };
    const [candidate] = candidates ?? [];
    const parts = candidate?.content?.parts ?? [];
    const reason = candidate?.finishReason;
    return {
      text: parts.map(({ text = '', thought }) => (thought ? '' : text)).join(''),
      isEnd: reason !== undefined,
      ...(reason !== undefined &&
        !goodEnds.includes(reason) && { failure: `the answer was ended (${reason})` }),
    };
  },
});
