import type { EmbedderLimits, EmbedOptions } from '../../../contracts/embedder.ts';
import { embedTexts } from '../http/embed-texts.ts';
import type { Access, Remote } from '../http/remote.ts';
import type { RowGuard } from '../http/rows.ts';
import { type CallSettings, createCaller } from './caller.ts';
import { embedTokens } from './token-requests.ts';

/** What decides how texts become requests. Plain data, so that a thread can be started with it. */
export interface EngineSettings extends Omit<CallSettings, 'dimensions'> {
  readonly access: Access;
  readonly limits: EmbedderLimits;
  /** Most tokens of a text in one vector, prefix and special tokens not counted. */
  readonly maxTokens: number;
}

/** Cuts texts, makes requests and reads answers; the same in the process and in its threads. */
export interface Engine {
  /** One vector per text, in order, each admitted by the guard. */
  embed(texts: readonly string[], options: EmbedOptions, guard: RowGuard): Promise<Float32Array[]>;
}

/** The engine for a server that is ready to be called. */
export function createEngine(remote: Remote, settings: EngineSettings): Engine {
  const { tokenizer, prefixes } = remote;
  const { limits, maxTokens, send, binary, access } = settings;
  const caller = createCaller(remote, { send, binary, dimensions: access.dimensions });
  return {
    embed(texts, options, guard) {
      if (send === 'tokens') {
        const request: Parameters<typeof embedTokens>[0]['request'] = async (rows, requestOptions) =>
          guard.admit(await caller.requestTokens(rows, requestOptions));
        return embedTokens({ tokenizer, prefixes, limits, maxTokens, request }, texts, options);
      }
      const request: typeof caller.requestTexts = async (part, requestOptions) => {
        const answer = await caller.requestTexts(part, requestOptions);
        return Array.isArray(answer) ? guard.admit(answer) : answer;
      };
      const service = { limits, windowTokens: maxTokens, tokenizer, prefixes, request };
      return embedTexts(service, texts, options);
    },
  };
}
