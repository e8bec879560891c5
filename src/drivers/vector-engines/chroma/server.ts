import type { DriverContext } from '../../../contracts/driver.ts';
import { QuarryError } from '../../../core/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { connect, type HttpAnswer } from '../../../platform/http/connection.ts';
import { findProxy } from '../../../platform/http/proxy.ts';
import { jsonOf } from '../../../platform/http/read-json.ts';
import { parsed, refusalOf, type Service, wordsOf } from '../../../platform/http/refusal.ts';
import { once } from '../../../platform/once.ts';
import type { Location } from './location.ts';

/** Longest wait for one answer. */
const timeoutSeconds = 60;
/** Longest answer: the records of a hundred thousand documents fit. */
const maxBytes = 512 * 1024 * 1024;
/** Records in a call, where the server does not say how many it takes. */
const minRecords = 100;
const maxAttempts = 3;
/** Passing states of a server, or of a proxy before it. */
const passing = [429, 502, 503, 504];
/** The cause of an error about a collection that is not there. */
const gone = 'the collection is not there';

/** One call below the database. */
export interface ChromaCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the database, with its leading slash. */
  readonly path: string;
  readonly body?: object;
}

/** What a server takes. */
export interface ServerLimits {
  /** In one call. */
  readonly maxRecords: number;
  /** Whether vectors may be the bytes of their 32-bit numbers, in base64. */
  readonly readsBytes: boolean;
}

/** A database of a Chroma server. */
export interface ChromaServer {
  /** The answer as data. What is asked may be asked again: every call of this driver has the same effect twice as once. */
  send(call: ChromaCall): Promise<unknown>;
  limits(): Promise<ServerLimits>;
  close(): void;
}

/** Whether a collection that was asked is not there, or no more. */
export function isGone(thrown: unknown): boolean {
  return thrown instanceof QuarryError && thrown.cause === gone;
}

/** Whether a collection of that name was made already. */
export function isTaken(thrown: unknown): boolean {
  return thrown instanceof QuarryError && thrown.cause === 409;
}

/** Prepares calls to the server; nothing is sent yet, and nothing before the user has agreed. */
export function chromaServer(location: Location, context: DriverContext): ChromaServer {
  const { address, tenant, database, credentials } = location;
  const service: Service = { host: address.host, model: '', credentials, table: 'store' };
  const connection = connect(address, timeoutSeconds, 'store', findProxy(address, context.environment));
  const base = `/tenants/${encodeURIComponent(tenant)}/databases/${encodeURIComponent(database)}`;

  const request = (method: ChromaCall['method'], path: string, body: object | undefined) =>
    connection.send({
      method,
      path: `/api/v2${path}`,
      headers: { 'content-type': 'application/json', ...location.headers() },
      ...(body && { body: JSON.stringify(body) }),
      maxBytes: maxBytes,
    });
  const send = async (method: ChromaCall['method'], path: string, body?: object): Promise<unknown> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await context.requireConsent(new URL(address));
        const answer = await request(method, path, body);
        if (answer.status >= 200 && answer.status < 300) return jsonOf(answer, service);
        if (!passing.includes(answer.status) || attempt === maxAttempts)
          throw failureOf(answer, service, location);
      } catch (thrown) {
        if (!isBroken(thrown) || attempt === maxAttempts) throw thrown;
      }
      await systemClock.wait(200 * attempt ** 2);
    }
  };
  const limits = once(async (): Promise<ServerLimits> => {
    const said = (await send('GET', '/pre-flight-checks')) as Readonly<Record<string, unknown>>;
    return {
      maxRecords: Number(said.max_batch_size) || minRecords,
      readsBytes: said.supports_base64_encoding === true,
    };
  });
  return {
    async send({ method, path, body }) {
      try {
        return await send(method, base + path, body);
      } catch (thrown) {
        if (isGone(thrown)) await requireDatabase();
        throw thrown;
      }
    },
    limits,
    close: () => connection.close(),
  };

  /** A collection that is not there may be one whose database is not. */
  async function requireDatabase(): Promise<void> {
    try {
      await send('GET', base);
    } catch (thrown) {
      if (!isGone(thrown)) throw thrown;
      throw new QuarryError(
        'provider-refused',
        `${address.host} has no database "${database}" of the tenant "${tenant}".`,
        'Create it there, or correct store.chroma.tenant and store.chroma.database.',
      );
    }
  }
}

/** A connection that was cut, which another may replace; one that is merely slow is not asked again. */
function isBroken(thrown: unknown): boolean {
  return (
    thrown instanceof QuarryError && thrown.code === 'provider-unreachable' && thrown.cause !== undefined
  );
}

function failureOf(answer: HttpAnswer, service: Service, { address }: Location): QuarryError {
  const { status } = answer;
  const { host } = address;
  if (![400, 404, 409, 413, 422].includes(status)) return refusalOf(answer, service).error;
  const words = wordsOf(parsed(answer.body) && messageOnly(answer), answer.body, service);
  if (/embedding with dimension/.test(words))
    return new QuarryError(
      'vector-invalid',
      `${host} keeps vectors of a different length: ${words}`,
      'Check that nobody else writes to the collections of this project, then run: quarry index --full',
    );
  if (status === 404)
    return new QuarryError(
      'provider-refused',
      `A collection is no longer on ${host}${words ? `: ${words}` : ''}.`,
      'Run: quarry index',
      { cause: gone },
    );
  return new QuarryError(
    'provider-refused',
    `${host} refuses a request of the index (HTTP ${status})${words ? `: ${words}` : ''}.`,
    'Check that store.url leads to a Chroma server of version 1 or later.',
    { cause: status },
  );
}

/** Chroma's `error` is only the kind of a failure; its `message` says what failed. */
function messageOnly(answer: HttpAnswer): { readonly message: unknown } {
  return { message: (parsed(answer.body) as { message?: unknown }).message };
}
