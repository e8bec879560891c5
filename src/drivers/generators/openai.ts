import { z } from 'zod';
import { chatDriver } from './http/chat-driver.ts';

const chunk = z.object({
  choices: z
    .array(
      z.object({
        delta: z.object({ content: z.string().nullish() }).nullish(),
        finish_reason: z.string().nullish(),
      }),
    )
    .nullish(),
  error: z.union([z.string(), z.object({ message: z.string() })]).nullish(),
});

export default chatDriver(
  'openai',
  'A server that speaks the protocol of OpenAI: Ollama, llama.cpp, vLLM, LM Studio, OpenAI itself and others.',
  {
    provider: {
      origin: 'https://api.openai.com',
      url: 'https://api.openai.com/v1',
      variables: ['OPENAI_API_KEY'],
    },
    path: () => '/chat/completions',
    headers: (key) => (key === undefined ? {} : { authorization: `Bearer ${key}` }),
    body: ({ model, messages, maxTokens, temperature, isProvider }) => ({
      model,
      messages,
      stream: true,
      // Newer models of the provider itself know neither the old name of the limit nor a temperature.
      ...(isProvider ? { max_completion_tokens: maxTokens } : { max_tokens: maxTokens, temperature }),
    }),
    read({ data }) {
      if (data === '[DONE]') return { text: '', isEnd: true };
      const { choices, error } = chunk.parse(JSON.parse(data));
      if (error) return { text: '', failure: typeof error === 'string' ? error : error.message };
      const reason = choices?.[0]?.finish_reason;
      return {
        text: choices?.[0]?.delta?.content ?? '',
        isEnd: typeof reason === 'string',
        ...(reason === 'content_filter' && { failure: 'a filter of the service refused the answer' }),
      };
    },
  },
);
