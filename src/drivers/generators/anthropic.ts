import { z } from 'zod';
import { chatDriver } from './http/chat-driver.ts';
import { withoutSystem } from './http/chat-protocol.ts';

const event = z.object({
  type: z.string(),
  delta: z
    .object({ type: z.string().optional(), text: z.string().optional(), stop_reason: z.string().nullish() })
    .optional(),
  error: z.object({ message: z.string() }).optional(),
});

export default chatDriver('anthropic', 'The models of Anthropic, by its Messages API.', {
  provider: {
    origin: 'https://api.anthropic.com',
    url: 'https://api.anthropic.com/v1',
    variables: ['ANTHROPIC_API_KEY'],
  },
  path: () => '/messages',
  headers: (key) => ({ 'anthropic-version': '2023-06-01', ...(key !== undefined && { 'x-api-key': key }) }),
  body({ model, messages, maxTokens, temperature }) {
    const { system, turns } = withoutSystem(messages);
    return {
      model,
      max_tokens: maxTokens,
      temperature,
      stream: true,
      ...(system !== '' && { system }),
      messages: turns,
    };
  },
  read({ data }) {
    const { type, delta, error } = event.parse(JSON.parse(data));
    if (error) return { text: '', failure: error.message };
    if (delta?.stop_reason === 'refusal') return { text: '', failure: 'the model refused to answer' };
    const isText = type === 'content_block_delta' && delta?.type === 'text_delta';
    return { text: isText ? (delta.text ?? '') : '', isEnd: type === 'message_stop' };
  },
});
