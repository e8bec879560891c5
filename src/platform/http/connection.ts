import http, { type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import https from 'node:https';
import { interrupted, QuarryError } from '../../core/errors.ts';
import { pathBelow, type SettingsTable } from './address.ts';
import { agentOptionsFor, type ProxyAddress } from './proxy.ts';
import { type HttpStream, readAsItArrives } from './stream.ts';
import { unreachable } from './unreachable.ts';

/** One call to a service. */
export interface HttpCall {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Below the service's address, with its leading slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** Longest answer that is read. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal | undefined;
  /** Longest wait for the answer, where it is not that of the connection. */
  readonly timeoutSeconds?: number | undefined;
}

/** An answer of any status. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Calls one address over connections that are kept open. It follows no redirect: a host with consent cannot pass text on to another. */
export interface Connection {
  send(call: HttpCall): Promise<HttpAnswer>;
  /** The same, but the body of a successful answer is read as it arrives; that of another is read whole. */
  stream(call: HttpCall): Promise<HttpAnswer | HttpStream>;
  close(): void;
}

/** Prepares calls to an address; nothing is sent yet. */
export function connect(
  address: URL,
  timeoutSeconds: number,
  table: SettingsTable,
  proxy?: ProxyAddress,
): Connection {
  const isSecure = address.protocol === 'https:';
  // The agent closes idle connections by itself, so they do not keep the process alive. A secure call goes through a
  // proxy as a tunnel: the certificate of the server is still checked.
  const options = { keepAlive: true, ...agentOptionsFor(proxy) };
  const agent = isSecure ? new https.Agent(options) : new http.Agent(options);
  const request = isSecure ? https.request : http.request;

  const begin = <Answer>(
    { method, path, headers, body, signal, timeoutSeconds: seconds = timeoutSeconds }: HttpCall,
    answered: (response: IncomingMessage, ends: CallEnds<Answer>) => void,
  ): Promise<Answer> =>
    new Promise<Answer>((resolve, reject) => {
      if (signal?.aborted) return reject(interrupted(signal.reason));
      const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) };
      const sent = request(pathBelow(address, path), {
        method,
        agent,
        headers: { 'user-agent': 'quarry', 'accept-encoding': 'identity', ...headers, ...length },
      });
      const settle = (end: () => void): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', abort);
        end();
      };
      const fail = (error: QuarryError): void => {
        settle(() => reject(error));
        sent.destroy();
      };
      const abort = (): void => fail(interrupted(signal?.reason));
      const timer = setTimeout(() => fail(tooSlow(address, seconds, table)), seconds * 1000);
      signal?.addEventListener('abort', abort, { once: true });
      const broken = (cause: unknown): void => fail(unreachable(address, cause, table, proxy));
      sent.on('error', broken);
      sent.on('response', (response) =>
        answered(response, { done: (answer) => settle(() => resolve(answer)), fail, broken }),
      );
      sent.end(body);
    });
  const whole = (response: IncomingMessage, maxBytes: number, ends: CallEnds<HttpAnswer>): void =>
    collect(response, maxBytes, {
      done: (bytes) =>
        ends.done({ status: response.statusCode ?? 0, headers: response.headers, body: bytes }),
      tooLong: () => ends.fail(tooMuch(address, maxBytes, table)),
      broken: ends.broken,
    });

  return {
    send: (call) => begin(call, (response, ends) => whole(response, call.maxBytes, ends)),
    stream: (call) =>
      begin<HttpAnswer | HttpStream>(call, (response, ends) => {
        const { statusCode: status = 0, headers } = response;
        if (status !== 200) return whole(response, call.maxBytes, ends);
        const failures = {
          slow: () => tooSlow(address, timeoutSeconds, table),
          broken: (cause: unknown) => unreachable(address, cause, table, proxy),
        };
        ends.done({
          status,
          headers,
          body: readAsItArrives(response, timeoutSeconds * 1000, failures, call.signal),
        });
      }),
    close: () => agent.destroy(),
  };
}

interface CallEnds<Answer> {
  done(answer: Answer): void;
  fail(error: QuarryError): void;
  broken(cause: unknown): void;
}

interface CollectEnds {
  done(bytes: Buffer): void;
  tooLong(): void;
  broken(cause: unknown): void;
}

/** Reads a body of bounded size. If its length is known, it is read into one buffer without copying. */
function collect(response: IncomingMessage, maxBytes: number, ends: CollectEnds): void {
  response.on('error', ends.broken);
  const announced = Number(response.headers['content-length'] ?? Number.NaN);
  if (announced > maxBytes) {
    ends.tooLong();
    return;
  }
  const whole = Number.isSafeInteger(announced) ? Buffer.allocUnsafeSlow(announced) : undefined;
  const parts: Buffer[] = [];
  let received = 0;
  response.on('data', (part: Buffer) => {
    if (received + part.length > (whole?.length ?? maxBytes)) return ends.tooLong();
    if (whole) part.copy(whole, received);
    else parts.push(part);
    received += part.length;
  });
  response.on('end', () => {
    if (!response.complete || (whole && received < whole.length)) ends.broken(undefined);
    else ends.done(whole ?? Buffer.concat(parts));
  });
}

function tooSlow(address: URL, seconds: number, table: SettingsTable): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `${address.host} did not answer within ${seconds} seconds.`,
    table === 'store' ? 'Try again later.' : 'Try again later, or raise resources.timeout_seconds.',
  );
}

function tooMuch(address: URL, maxBytes: number, table: SettingsTable): QuarryError {
  return new QuarryError(
    'provider-refused',
    `${address.host} answered with more than ${maxBytes} bytes.`,
    `Check that ${table}.url leads to a service for it.`,
  );
}
