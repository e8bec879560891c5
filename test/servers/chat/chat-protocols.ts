import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';

/** One turn as a service was sent it. */
export interface WrittenTurn {
  readonly role: string;
  readonly content: string;
}

/** How one kind of service speaks, as its documentation says. */
interface SpokenProtocol {
  /** The beginning of its paths. */
  readonly base: string;
  /** The model and the turns of a call; undefined where it is none that the service takes. */
  understand(
    path: string,
    body: unknown,
  ): { readonly model: string; readonly messages: readonly WrittenTurn[] } | undefined;
  keyOf(headers: IncomingHttpHeaders): string | undefined;
  refusal(status: number, words: string): object;
  readonly begin: string;
  piece(text: string): string;
  readonly end: string;
  /** The event of a failure in the midst. */
  readonly failure: string;
}

const turn = z.object({ role: z.string(), content: z.string() });
const openaiCall = z.object({
  model: z.string(),
  messages: z.array(turn).min(1),
  stream: z.literal(true),
  max_tokens: z.int(),
  temperature: z.number(),
});
const anthropicCall = z.object({
  model: z.string(),
  system: z.string().optional(),
  messages: z.array(turn.extend({ role: z.enum(['user', 'assistant']) })).min(1),
  stream: z.literal(true),
  max_tokens: z.int(),
});
const parts = z.array(z.object({ text: z.string() })).length(1);
const geminiCall = z.object({
  systemInstruction: z.object({ parts }).optional(),
  contents: z.array(z.object({ role: z.enum(['user', 'model']), parts })).min(1),
  generationConfig: z.object({ maxOutputTokens: z.int(), temperature: z.number() }),
});

const data = (value: unknown, event?: string): string =>
  `${event === undefined ? '' : `event: ${event}\n`}data: ${JSON.stringify(value)}\n\n`;
const typed = (value: { readonly type: string }): string => data(value, value.type);
const openaiChunk = (delta: object, reason: string | null) =>
  data({ id: 'x', object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason: reason }] });
const geminiChunk = (text: string, finishReason?: string) =>
  data({
    candidates: [{ content: { role: 'model', parts: [{ text }] }, ...(finishReason && { finishReason }) }],
  });

/** The protocols that services are asked in. */
export const chatProtocols = {
  openai: {
    base: '/v1',
    understand(path, body) {
      const { data: call } = openaiCall.safeParse(body);
      return path === '/v1/chat/completions' ? call : undefined;
    },
    keyOf: ({ authorization }) => authorization?.replace(/^Bearer /, ''),
    refusal: (status, words) => ({ error: { message: words, type: 'error', code: status } }),
    begin: `: keep-alive\n\n${openaiChunk({ role: 'assistant', content: '' }, null)}`,
    piece: (text) => openaiChunk({ content: text }, null),
    end: `${openaiChunk({}, 'stop')}data: [DONE]\n\n`,
    failure: data({ error: { message: 'the worker died', type: 'server_error' } }),
  },
  anthropic: {
    base: '/v1',
    understand(path, body) {
      const { data: call } = anthropicCall.safeParse(body);
      if (path !== '/v1/messages' || !call) return undefined;
      const { system } = call;
      return {
        model: call.model,
        messages: [...(system === undefined ? [] : [{ role: 'system', content: system }]), ...call.messages],
      };
    },
    keyOf: (headers) => (headers['anthropic-version'] ? String(headers['x-api-key']) : undefined),
    refusal: (_, words) => ({ type: 'error', error: { type: 'error', message: words } }),
    begin:
      typed({ type: 'message_start', message: { id: 'x', role: 'assistant', content: [] } } as {
        type: string;
      }) +
      typed({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } } as {
        type: string;
      }) +
      typed({ type: 'ping' }),
    piece: (text) =>
      typed({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text } } as {
        type: string;
      }),
    end:
      typed({ type: 'content_block_stop', index: 0 } as { type: string }) +
      typed({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: {} } as { type: string }) +
      typed({ type: 'message_stop' }),
    failure: typed({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } } as {
      type: string;
    }),
  },
  gemini: {
    base: '/v1beta',
    understand(path, body) {
      const { data: call } = geminiCall.safeParse(body);
      const [, model] = /^\/v1beta\/models\/([^/:]+):streamGenerateContent\?alt=sse$/.exec(path) ?? [];
      if (model === undefined || !call) return undefined;
      const textIn = (list: z.output<typeof parts>): string => list.map(({ text }) => text).join('');
      const system = call.systemInstruction;
      return {
        model,
        messages: [
          ...(system ? [{ role: 'system', content: textIn(system.parts) }] : []),
          ...call.contents.map(({ role, parts: written }) => ({
            role: role === 'model' ? 'assistant' : 'user',
            content: textIn(written),
          })),
        ],
      };
    },
    keyOf: (headers) => headers['x-goog-api-key'] as string | undefined,
    refusal: (status, words) => ({ error: { code: status, message: words, status: 'ERROR' } }),
    begin: '',
    piece: (text) => geminiChunk(text),
    end: geminiChunk('', 'STOP'),
    failure: data({ error: { code: 503, message: 'The model is overloaded.', status: 'UNAVAILABLE' } }),
  },
} satisfies Record<string, SpokenProtocol>;

export type ChatProtocolName = keyof typeof chatProtocols;
