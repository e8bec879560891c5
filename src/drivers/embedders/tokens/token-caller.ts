import type { EmbedderLimits, EmbedOptions } from '../../../contracts/embedder.ts';
import { QuarryError } from '../../../core/errors.ts';
import type { HttpAnswer } from '../../../platform/http/connection.ts';
import { malformed } from '../../../platform/http/read-json.ts';
import { type Refusal, refusalOf, type Service } from '../../../platform/http/refusal.ts';
import { maxAnswerBytes, rowsOfOpenAi } from '../http/answers.ts';
import type { Access, Remote } from '../http/remote.ts';
import { type RowGuard, rowsOfFloat16, rowsOfFloat32 } from '../http/rows.ts';
import { embedTokens } from './token-requests.ts';
import { type TokenRows, tokenRowsAsBytes, tokenRowsAsLists } from './token-rows.ts';

/** What decides how texts become requests. Plain data, so that a thread can be started with it. */
export interface CallerSettings {
  readonly access: Access;
  readonly limits: EmbedderLimits;
  /** Most tokens of a text in one vector, prefix and special tokens not counted. */
  readonly maxTokens: number;
  readonly binary: boolean;
}

/** Cuts texts into tokens, sends these and reads the answers: one vector per text, in order, admitted by the guard. */
export type EmbedAsTokens = (
  texts: readonly string[],
  options: EmbedOptions,
  guard: RowGuard,
) => Promise<Float32Array[]>;

/** For a server that is ready to be called. */
export function createTokenCaller(remote: Remote, settings: CallerSettings): EmbedAsTokens {
  const { service, connection, tokenizer, prefixes } = remote;
  const { limits, maxTokens, binary, access } = settings;
  const send = async (rows: TokenRows, { signal }: EmbedOptions): Promise<Float32Array[]> => {
    const key = remote.key();
    const answer = await connection.send({
      method: 'POST',
      path: '/embeddings',
      headers: {
        accept: 'application/octet-stream, application/json',
        ...(key ? { authorization: `Bearer ${key}` } : {}),
        ...(binary ? binaryHeaders(service, access.dimensions) : { 'content-type': 'application/json' }),
      },
      body: binary ? tokenRowsAsBytes(rows) : jsonBody(service, rows, access.dimensions),
      maxBytes: maxAnswerBytes(rows.count),
      signal,
    });
    if (answer.status < 200 || answer.status > 299) throw tokensRefused(refusalOf(answer, service), binary);
    return rowsOfAnswer(answer, rows.count, service);
  };
  return (texts, options, guard) => {
    const request = async (rows: TokenRows, given: EmbedOptions) => guard.admit(await send(rows, given));
    return embedTokens({ tokenizer, prefixes, limits, maxTokens, request }, texts, options);
  };
}

function jsonBody({ model }: Service, rows: TokenRows, dimensions: number | undefined): string {
  return JSON.stringify({ model, input: tokenRowsAsLists(rows), encoding_format: 'base64', dimensions });
}

function binaryHeaders({ model }: Service, dimensions: number | undefined): Record<string, string> {
  return {
    'content-type': 'application/octet-stream',
    'x-embedding-model': encodeURI(model),
    ...(dimensions === undefined ? {} : { 'x-embedding-dimensions': String(dimensions) }),
  };
}

/** The vectors of a successful answer in the order of the request: raw numbers, or JSON with base64 or lists. */
function rowsOfAnswer(answer: HttpAnswer, count: number, service: Service): Float32Array[] {
  const type = answer.headers['content-type'] ?? '';
  if (!/^application\/octet-stream\b/i.test(type)) return rowsOfOpenAi(answer, count, service);
  const isHalf = /;\s*dtype="?float16\b/i.test(type);
  const dimensions = Number(answer.headers['x-embedding-dimensions'] ?? Number.NaN);
  if (!Number.isSafeInteger(dimensions) || dimensions < 1) {
    throw malformed(service, 'the header x-embedding-dimensions is missing or no number');
  }
  const expected = count * dimensions * (isHalf ? 2 : 4);
  if (answer.body.length !== expected) {
    throw malformed(service, `it has ${answer.body.length} bytes, not ${expected} for ${count} vectors`);
  }
  return isHalf ? rowsOfFloat16(answer.body, dimensions) : rowsOfFloat32(answer.body, dimensions);
}

/** Numbers cannot be at fault as a text can: it is the window or the form of the request. */
function tokensRefused({ error, tooMuch }: Refusal, isBinary: boolean): QuarryError {
  if (error.code !== 'embedding-failed') return error;
  if (tooMuch === 'text') {
    const remedy = "Set embedder.max_tokens to the model's window, without its special tokens.";
    return new QuarryError('embedding-failed', error.message, remedy);
  }
  const setting = isBinary ? 'embedder.binary to false' : 'embedder.driver to "openai"';
  return new QuarryError(
    'provider-refused',
    error.message,
    `Set ${setting} if the server wants it otherwise.`,
  );
}
