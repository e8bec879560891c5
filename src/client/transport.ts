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

/** Sends requests to one server; rejects where it cannot be reached. */
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
    await reader.cancel().catch(() => undefined);
  }
}
