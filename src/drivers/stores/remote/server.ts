import type { DriverContext } from '../../../contracts/driver.ts';
import { type ErrorData, errorFromData, QuarryError } from '../../../core/errors.ts';
import { systemClock } from '../../../platform/clock.ts';
import { checkedAddress } from '../../../platform/http/address.ts';
import {
  type Connection,
  connect,
  type HttpAnswer,
  type HttpCall,
} from '../../../platform/http/connection.ts';
import { findCredentials, requireKey } from '../../../platform/http/credentials.ts';
import { findProxy } from '../../../platform/http/proxy.ts';
import { parsed } from '../../../platform/http/refusal.ts';
import { requireStoreConsent } from '../store-consent.ts';

/** Longest wait for one answer. */
const timeoutSeconds = 120;
/** Longest answer: the manifest of a million files fits. */
const maxBytes = 512 * 1024 * 1024;
/** How often a call is repeated that the server asks to send later. */
const maxRepeats = 50;

/** Which project of which server keeps the index. */
export interface RemoteOptions {
  readonly url: string;
  readonly collection: string;
  readonly api_key?: string | undefined;
}

/** How a call is made. */
interface AskOptions {
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer, where the usual one is too short. */
  readonly timeoutSeconds?: number;
}

/** A server that keeps the index of one of its projects for us. */
export interface KeepingServer {
  /** Names the project among all servers. */
  readonly address: string;
  /** Calls a path below the project; the answer as data. The project is made known to the server where it is not. */
  ask(path: string, body: object, options?: AskOptions): Promise<unknown>;
  close(): void;
}

/** Prepares calls to the server; nothing is sent yet. */
export function keepingServer(given: RemoteOptions, context: DriverContext): KeepingServer {
  const address = checkedAddress(given.url, 'store');
  const credentials = findCredentials(address, context.environment, 'store');
  const key = given.api_key ?? requireKey(credentials, address.host);
  const connection = connect(address, timeoutSeconds, 'store', findProxy(address, context.environment));
  const headers = {
    'content-type': 'application/json',
    ...(key !== undefined && { authorization: `Bearer ${key}` }),
  };
  const project = `/v1/projects/${encodeURIComponent(given.collection)}`;
  const post = async (path: string, data: object, options?: AskOptions): Promise<unknown> => {
    const allowed = () => requireStoreConsent(context, new URL(address));
    const body = JSON.stringify(data);
    const call = { method: 'POST', path, headers, body, maxBytes, ...options } as const;
    return resultOf(await send(connection, call, allowed), address);
  };
  const register = () => post('/v1/projects', { id: given.collection, files: 'remote' });
  const ask = (path: string, body: object, options?: AskOptions): Promise<unknown> =>
    post(`${project}${path}`, body, options);
  return {
    address: new URL(project, address).href,
    ask: (path, body, options) =>
      ask(path, body, options).catch(async (thrown: unknown) => {
        if (!(thrown instanceof QuarryError) || thrown.code !== 'project-not-found') throw thrown;
        await register();
        return ask(path, body, options);
      }),
    close: () => connection.close(),
  };
}

/** Sends until the server does not ask to come back later. */
async function send(
  connection: Connection,
  call: HttpCall,
  allowed: () => Promise<void>,
): Promise<HttpAnswer> {
  for (let attempt = 0; ; attempt += 1) {
    await allowed();
    const answer = await connection.send(call).catch((thrown: unknown) => {
      throw isUnreachable(thrown) ? unreachable(thrown) : thrown;
    });
    if (answer.status !== 429 || attempt === maxRepeats) return answer;
    await systemClock.wait(Number(answer.headers['retry-after'] ?? 1) * 1000, call.signal);
  }
}

function resultOf(answer: HttpAnswer, address: URL): unknown {
  const body = answer.body.length === 0 ? {} : parsed(answer.body);
  if (answer.status < 300 && body !== undefined) return body;
  const error = (body as { error?: ErrorData } | undefined)?.error;
  if (typeof error?.code === 'string') throw errorFromData(error);
  throw new QuarryError(
    'server-unreachable',
    `${address.host} does not answer as a Quarry server does (HTTP ${answer.status}).`,
    'Set store.url to the address of a Quarry server.',
  );
}

function isUnreachable(thrown: unknown): thrown is QuarryError {
  return thrown instanceof QuarryError && thrown.code === 'provider-unreachable';
}

function unreachable({ message, remedy, cause }: QuarryError): QuarryError {
  return new QuarryError('server-unreachable', message, remedy, { cause });
}
