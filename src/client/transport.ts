import { QuarryError } from '../core/errors.ts';

/** An answer whose body is still to be read. */
export interface TransportAnswer {
  readonly status: number;
  readonly header: (name: string) => string | undefined;
  readonly body: AsyncIterable<Uint8Array>;
}

/** How a request is sent. */
export interface TransportRequest {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** Path and query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sends requests to one server; rejects where it cannot be reached. Where the request was sent and only its answer is
 * missing, the error is `answer-lost`, and so is that of a body that breaks off.
 */
export type Transport = (request: TransportRequest) => Promise<TransportAnswer>;

/** Sends requests with `fetch`: in a browser, or to a server in the network. */
export function fetchTransport(url: string | URL, token?: string): Transport {
  const base = new URL(url);
  return async ({ method, path, headers, body, signal }) => {
    const target = new URL(base.pathname.replace(/\/+$/, '') + path, base);
    const response = await fetch(target, {
      method,
      headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
      ...(body !== undefined && { body }),
      ...(signal && { signal }),
      // A server that sends its callers elsewhere would get the token there.
      redirect: 'error',
    }).catch((thrown: unknown) => {
      throw mayHaveArrived(thrown) ? answerLost(thrown) : thrown;
    });
    return {
      status: response.status,
      header: (name) => response.headers.get(name) ?? undefined,
      body: bytesOf(response.body),
    };
  };
}

/** Not every browser can iterate over a stream. */
async function* bytesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (!reader) return;
  try {
    for (let step = await reader.read(); !step.done; step = await reader.read()) yield step.value;
  } finally {
    // What is no longer read may have failed by itself.
    await reader.cancel().catch(() => undefined);
  }
}

/** Codes of connections that were there and broke, or were silent for too long. A browser tells none. */
const brokenAfterwards = /^(ECONNRESET|EPIPE|UND_ERR_SOCKET|UND_ERR_HEADERS_TIMEOUT)$/;

function mayHaveArrived(thrown: unknown): boolean {
  return brokenAfterwards.test((thrown as { cause?: { code?: string } }).cause?.code ?? '');
}

/** The error for a request that a server has taken, and whose answer is missing or was cut off. */
export function answerLost(cause: unknown): QuarryError {
  return new QuarryError(
    'answer-lost',
    'The Quarry server took the request and ended or stopped answering before its answer was complete.',
    'Check whether it was done before you ask again.',
    { cause },
  );
}
