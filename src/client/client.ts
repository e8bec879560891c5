import {
  asQuarryError,
  type ErrorData,
  errorFromData,
  interrupted,
  messageOf,
  QuarryError,
} from '../core/errors.ts';
import type { EventData } from '../core/events.ts';
import { type Frame, frameMediaType, readFrames } from './frames.ts';
import { answerLost, type Transport, type TransportAnswer, type TransportRequest } from './transport.ts';

/** What an operation on a server came to. */
export interface Answer {
  readonly result: unknown;
  /** The exit code of a command that shows it. */
  readonly exitCode: number;
}

/** How an operation is asked for. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called with each event on the way to the result. */
  readonly onEvent?: (event: EventData) => void;
  /** That the user has agreed to what the operation destroys. */
  readonly confirmed?: boolean;
}

/** Asks a Quarry server. */
export interface Client {
  /** Performs an operation (`search`, `cache stats`) on a project. Aborting the signal stops it on the server too. */
  call(project: string, operation: string, input: object, options?: CallOptions): Promise<Answer>;
  /** Makes a folder of the server's own machine known; only over its socket. */
  openFolder(folder: string): Promise<{ readonly id: string }>;
  /** Any other request; its answer as data. */
  request(
    method: TransportRequest['method'],
    path: string,
    body?: object,
    signal?: AbortSignal,
  ): Promise<unknown>;
}

/** A client that sends its requests this way, with these headers. */
export function createClient(transport: Transport, headers: Readonly<Record<string, string>> = {}): Client {
  const send = async (
    request: Omit<TransportRequest, 'headers'>,
    accept: string,
  ): Promise<TransportAnswer> => {
    const { signal } = request;
    try {
      return await transport({
        ...request,
        headers: {
          ...headers,
          accept,
          ...(request.body !== undefined && {
            'content-type': 'application/json',
            'content-length': String(new TextEncoder().encode(request.body).length),
          }),
        },
      });
    } catch (cause) {
      if (signal?.aborted) throw interrupted(cause);
      throw cause instanceof QuarryError ? cause : unreachable(cause);
    }
  };
  const request: Client['request'] = async (method, path, body, signal) => {
    const answer = await send(
      { method, path, ...(body && { body: JSON.stringify(body) }), signal },
      'application/json',
    );
    const text = await textOf(answer, signal);
    if (answer.status >= 400) throw errorIn(text, answer.status);
    return text === '' ? undefined : JSON.parse(text);
  };
  return {
    request,
    async call(project, operation, input, { signal, onEvent, confirmed } = {}) {
      const path = `/v1/projects/${encodeURIComponent(project)}/${operation.replaceAll(' ', '/')}`;
      const answer = await send(
        {
          method: 'POST',
          path: confirmed ? `${path}?confirm=yes` : path,
          body: JSON.stringify(input),
          signal,
        },
        frameMediaType,
      );
      if (answer.status !== 200) throw errorIn(await textOf(answer, signal), answer.status);
      return finalFrame(answer, onEvent, signal);
    },
    openFolder: async (folder) => (await request('POST', '/v1/projects', { folder })) as { id: string },
  };
}

/** Passes the events on, and returns what the last frame holds. */
async function finalFrame(
  { body }: TransportAnswer,
  onEvent: ((event: EventData) => void) | undefined,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for await (const frame of framesIn(body, signal)) {
    if ('event' in frame) onEvent?.(frame.event);
    else if ('error' in frame) throw failure(errorFromData(frame.error), signal);
    else return { result: frame.result, exitCode: frame.exit_code };
  }
  throw failure('the answer was cut off', signal);
}

/** The frames of a body; only what fails here is a fault of the answer, and not what a caller does with a frame. */
async function* framesIn(body: TransportAnswer['body'], signal?: AbortSignal): AsyncGenerator<Frame> {
  try {
    yield* readFrames(body);
  } catch (thrown) {
    throw failure(thrown, signal);
  }
}

function failure(thrown: unknown, signal: AbortSignal | undefined): QuarryError {
  if (signal?.aborted) return interrupted(thrown);
  return thrown instanceof QuarryError ? thrown : answerLost(thrown);
}

async function textOf({ body }: TransportAnswer, signal: AbortSignal | undefined): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const bytes of body) text += decoder.decode(bytes, { stream: true });
  } catch (cause) {
    throw failure(cause, signal);
  }
  return text;
}

/** The error in the body of an answer; what is between us and the server may have answered in its place. */
function errorIn(text: string, status: number): QuarryError {
  try {
    const { error } = JSON.parse(text) as { error: ErrorData };
    return errorFromData(error);
  } catch (thrown) {
    return unreachable(`it answered with the status ${status}`, asQuarryError(thrown));
  }
}

function unreachable(what: unknown, cause: unknown = what): QuarryError {
  const reason = (cause as { cause?: unknown })?.cause ?? what;
  return new QuarryError(
    'server-unreachable',
    `The Quarry server cannot be reached: ${messageOf(reason)}.`,
    'Check that the server runs and that its address is right.',
    { cause },
  );
}
