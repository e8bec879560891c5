import type { EmbedOptions } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import type { HttpAnswer } from '../../http/connection.ts';
import { type Refusal, refusalOf } from '../../http/refusal.ts';
import { mostAnswerBytes } from '../http/answer-size.ts';
import type { TextService } from '../http/embed-texts.ts';
import { tooMuchIn } from '../http/read-answer.ts';
import type { Remote } from '../http/remote.ts';
import { rowsOfAnswer } from './answer.ts';
import { type TokenRows, tokenRowsAsBytes, tokenRowsAsLists } from './token-rows.ts';

/** The endpoint for embeddings, called with texts or with tokens; what comes back is as the server sent it. */
export interface OpenAiCaller {
  readonly requestTexts: TextService['request'];
  /** Vectors for rows of tokens that fit one request. */
  requestTokens(rows: TokenRows, options: EmbedOptions): Promise<Float32Array[]>;
}

/** The settings that decide how the endpoint is called. */
export interface CallSettings {
  readonly dimensions?: number | undefined;
  readonly send: 'text' | 'tokens';
  readonly binary: boolean;
}

/** Makes ready to call the endpoint of this server. */
export function createCaller(remote: Remote, { dimensions, send, binary }: CallSettings): OpenAiCaller {
  const { service, connection } = remote;
  const accept =
    binary || send === 'tokens' ? 'application/octet-stream, application/json' : 'application/json';

  const post = (
    body: string | Uint8Array,
    type: string,
    count: number,
    options: EmbedOptions,
  ): Promise<HttpAnswer> => {
    const key = remote.key();
    const isBinary = typeof body !== 'string';
    return connection.send({
      method: 'POST',
      path: '/embeddings',
      headers: {
        accept,
        'content-type': type,
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(isBinary ? { 'x-embedding-model': encodeURI(service.model) } : {}),
        ...(isBinary && dimensions !== undefined ? { 'x-embedding-dimensions': String(dimensions) } : {}),
      },
      body,
      mostBytes: mostAnswerBytes(count),
      signal: options.signal,
    });
  };

  const postJson = (input: unknown, count: number, options: EmbedOptions): Promise<HttpAnswer> => {
    const body = { model: service.model, input, encoding_format: 'base64', dimensions };
    return post(JSON.stringify(body), 'application/json', count, options);
  };

  return {
    async requestTexts(texts, options) {
      const answer = await postJson(texts, texts.length, options);
      return tooMuchIn(answer, service) ?? rowsOfAnswer(answer, texts.length, service);
    },
    async requestTokens(rows, options) {
      const answer = binary
        ? await post(tokenRowsAsBytes(rows), 'application/octet-stream', rows.count, options)
        : await postJson(tokenRowsAsLists(rows), rows.count, options);
      if (answer.status < 200 || answer.status > 299) throw tokensRefused(refusalOf(answer, service), binary);
      return rowsOfAnswer(answer, rows.count, service);
    },
  };
}

/** Numbers cannot be at fault as a text can: it is the window or the form of the request. */
function tokensRefused({ error, tooMuch }: Refusal, isBinary: boolean): QuarryError {
  if (error.code !== 'embedding-failed') return error;
  if (tooMuch === 'text') {
    const remedy = 'Set embedder.max_tokens to what the model takes in, without its special tokens.';
    return new QuarryError('embedding-failed', error.message, remedy);
  }
  const setting = isBinary ? 'embedder.binary to false' : 'embedder.send to "text"';
  return new QuarryError(
    'provider-refused',
    error.message,
    `Set ${setting} if the server wants it otherwise.`,
  );
}
