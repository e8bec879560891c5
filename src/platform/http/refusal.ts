import type { ErrorCode } from '../../core/error-catalogue.ts';
import { QuarryError } from '../../core/errors.ts';
import type { SettingsTable } from './address.ts';
import type { HttpAnswer } from './connection.ts';
import { type Credentials, missingKey } from './credentials.ts';
import { property } from './json-property.ts';
import { oneLine } from './one-line.ts';
import { retryAfterOf } from './retry-after.ts';

/** What errors say about a call. */
export interface Service {
  readonly host: string;
  readonly model: string;
  readonly credentials: Credentials;
  readonly table: SettingsTable;
}

/** An answer that is not a success. */
export interface Refusal {
  readonly error: QuarryError;
  /** What must become shorter or fewer for the service to accept it, if that was the reason. */
  readonly tooMuch: 'text' | 'call' | undefined;
}

/** Messages of services about a call that was too large. */
const callTooLarge =
  /tokens per request|max_tokens_per_request|batch size \d+|at most \d+ requests|payload size|request (entity )?(is )?too large|too many (inputs|texts|items|tokens in)|out of memory/i;

/** Messages of services about a text that is longer than the model's window. */
const textTooLong =
  /must have less than \d+ tokens|context[ _](length|size)|maximum (input|sequence) length|input is too (large|long)|input token count|token limit|longer than the maximum|too many tokens/i;

/** Messages about the request and not about a text in it. */
const notAboutText =
  /dimension|encoding_format|parameter|unsupported|not support|task_?type|billing|precondition|unknown (name|field)|content-type/i;

const unknownModel =
  /model_not_found|model[^.]{0,120}(not found|does not exist|not supported|not available|unknown)|unknown model/i;

/** The code for a text that a service of each kind will not take. */
const failureOf: Readonly<Record<SettingsTable, ErrorCode>> = {
  embedder: 'embedding-failed',
  reranker: 'model-failed',
  generator: 'model-failed',
  store: 'provider-refused',
};

const whatFor: Readonly<Record<SettingsTable, string>> = {
  embedder: 'embed',
  reranker: 'rerank',
  generator: 'generate text',
  store: 'use it',
};

/** The error for an answer that is not a success. */
export function refusalOf(answer: HttpAnswer, service: Service): Refusal {
  const body = parsed(answer.body);
  const words = wordsOf(body, answer.body, service);
  const tooMuch = tooMuchOf(answer.status, words);
  return { error: errorOf(answer, body, words, tooMuch, service), tooMuch };
}

/** The service's own message about a failure, on one line; empty when there is none. */
export function wordsOf(body: unknown, raw: Buffer, { credentials }: Service): string {
  const error = property(body, 'error');
  const found = [property(error, 'message'), error, property(body, 'message'), property(body, 'detail')].find(
    (value) => typeof value === 'string',
  );
  const words = typeof found === 'string' ? found : body === undefined ? raw.toString('utf8', 0, 1000) : '';
  const isPage = /^\s*<(!doctype|html)/i.test(words);
  // Some services repeat the key that they refuse.
  const hidden = credentials.value ? words.replaceAll(credentials.value, '(key)') : words;
  return isPage ? '' : oneLine(hidden);
}

function tooMuchOf(status: number, words: string): Refusal['tooMuch'] {
  if (status < 400 || [401, 403, 404, 429].includes(status)) return undefined;
  if (callTooLarge.test(words)) return 'call';
  if (textTooLong.test(words)) return 'text';
  return status === 413 ? 'call' : undefined;
}

function errorOf(
  answer: HttpAnswer,
  body: unknown,
  words: string,
  tooMuch: Refusal['tooMuch'],
  service: Service,
): QuarryError {
  const { status, headers } = answer;
  const said = `(HTTP ${status})${words ? `: ${words}` : '.'}`;
  if (status < 400) return redirected(answer, service);
  if (status === 401 || status === 403 || isBadKey(body)) return keyRefused(status, service);
  if (status === 429) return limited(service, said, retryAfterOf(headers, body));
  if (tooMuch) return tooMuch === 'call' ? tooLarge(service, said) : tooLong(service, said);
  if (status === 404 || unknownModel.test(`${words} ${codeOf(body)}`)) return modelUnknown(service, said);
  if ([408, 424, 425].includes(status) || status >= 500) {
    return failing(service, said, retryAfterOf(headers, body));
  }
  const isAboutText = (status === 400 || status === 422) && !notAboutText.test(words);
  return isAboutText ? textRefused(service, said) : requestRefused(service, said);
}

function limited({ host, table }: Service, said: string, retryAfter: number | undefined): QuarryError {
  return new QuarryError(
    'provider-limited',
    `${host} asks for fewer requests ${said}`,
    table === 'embedder'
      ? 'Wait, lower embedder.concurrency, or raise the quota of the account.'
      : 'Wait, or raise the quota of the account.',
    { retryAfter },
  );
}

function tooLarge({ host, table }: Service, said: string): QuarryError {
  return new QuarryError(
    table === 'embedder' ? 'embedding-too-large' : failureOf[table],
    `${host} cannot take so much in one call ${said}`,
    'Send fewer or shorter texts in one call.',
  );
}

/** What makes the texts shorter that a service gets. */
const shorter: Readonly<Record<Service['table'], string>> = {
  embedder: 'Lower embedder.max_tokens, or',
  generator: 'Lower context.max_tokens, or',
  reranker: 'Set chunking.sizes to "small", or',
  store: 'Set chunking.sizes to "small", or',
};

function tooLong({ host, model, table }: Service, said: string): QuarryError {
  return new QuarryError(
    failureOf[table],
    `A text is too long for "${model}" on ${host} ${said}`,
    `${shorter[table]} choose a model with a larger window.`,
  );
}

function modelUnknown({ host, model, table }: Service, said: string): QuarryError {
  return new QuarryError(
    'provider-refused',
    `${host} does not know the model "${model}" ${said}`,
    `Set ${table}.model to a model that the service has, and ${table}.url to where it answers.`,
  );
}

function failing({ host }: Service, said: string, retryAfter: number | undefined): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `${host} fails at the moment ${said}`,
    'Try again later; look at the log of the server if it is yours.',
    { retryAfter },
  );
}

function textRefused({ host, table }: Service, said: string): QuarryError {
  return new QuarryError(
    failureOf[table],
    `${host} refuses a text ${said}`,
    'Leave the text out, or choose another model.',
  );
}

function requestRefused({ host, model, table }: Service, said: string): QuarryError {
  return new QuarryError(
    'provider-refused',
    `${host} does not accept the request for "${model}" ${said}`,
    `Correct the settings of the ${table} that the message names.`,
  );
}

function redirected({ status, headers }: HttpAnswer, { host, table }: Service): QuarryError {
  const target = URL.parse(headers.location ?? '', `https://${host}`);
  const where = target && target.host !== host ? ` to ${oneLine(target.host)}` : '';
  return new QuarryError(
    'provider-refused',
    `${host} redirects${where} (HTTP ${status}); text is sent only to the address in the settings.`,
    `Set ${table}.url to the final address if you trust it.`,
  );
}

function keyRefused(status: number, { host, credentials, table }: Service): QuarryError {
  if (credentials.value === undefined) return missingKey(credentials.variable, host);
  return new QuarryError(
    'provider-key',
    `${host} refuses the key in ${credentials.variable} (HTTP ${status}).`,
    `Set ${credentials.variable} to a key that is valid for ${host} and allowed to ${whatFor[table]}.`,
  );
}

/** Google says that a key is wrong with HTTP 400 and a reason. */
function isBadKey(body: unknown): boolean {
  const details = property(property(body, 'error'), 'details');
  return (
    Array.isArray(details) &&
    details.some((detail) =>
      ['API_KEY_INVALID', 'API_KEY_EXPIRED'].includes(String(property(detail, 'reason'))),
    )
  );
}

function codeOf(body: unknown): string {
  const code = property(property(body, 'error'), 'code');
  return typeof code === 'string' ? code : '';
}

/** A body as JSON; undefined when it is not JSON. */
export function parsed(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    // A page of a proxy, for example.
    return undefined;
  }
}
