import type { ChunkScore, Reranker } from '../../../contracts/reranker.ts';
import { asQuarryError, type QuarryError } from '../../../core/errors.ts';
import { type Clock, systemClock } from '../../../platform/clock.ts';
import type { Connection } from '../../../platform/http/connection.ts';
import { jsonOf } from '../../../platform/http/read-json.ts';
import { type Refusal, refusalOf, type Service } from '../../../platform/http/refusal.ts';
import type { RerankProtocol } from './protocols.ts';
import { scoresIn } from './scores-in.ts';

/** What a call to a reranking server takes. */
export interface ScorerParts {
  readonly protocol: RerankProtocol;
  readonly service: Service;
  readonly connection: Connection;
  /** The key to send, undefined where none is needed; fails when it is missing. */
  key(): string | undefined;
  readonly clock?: Clock;
}

/** Characters of a chunk that are sent: beyond what any of these models reads. */
const maxChunkLength = 20_000;
/** Characters of a query that are sent. */
const maxQuestionLength = 4_000;
/** Tries of one call, the first included. */
const maxAttempts = 3;
const firstPause = 50;
/** Bytes that one score may take in an answer, the text of its chunk included where a server repeats it. */
const bytesPerScore = 128 * 1024;
const minAnswerBytes = 64 * 1024;

/** An answer that says that the call must be smaller. */
type TooMuch = Refusal & { readonly tooMuch: 'call' };

/** Scores chunks in calls as large as the server takes; a failed call is repeated as long as the budget allows. */
export function createScorer(parts: ScorerParts): Reranker['score'] {
  const { clock = systemClock } = parts;
  // What a server has refused as too much is not tried again.
  let batchChunks = parts.protocol.batchChunks;
  return async function* score(query, chunks, { budgetMs, signal }) {
    const deadline = clock.now() + budgetMs;
    let start = 0;
    while (start < chunks.length && !signal.aborted) {
      const batch = chunks.slice(start, start + batchChunks);
      try {
        const scores = await withRetries(() => request(parts, query, batch, signal), {
          clock,
          deadline,
          signal,
        });
        if (!('tooMuch' in scores)) {
          const offset = start;
          yield scores.map(({ index, score }) => ({ index: index + offset, score }));
          start += batch.length;
        } else if (batch.length === 1) throw scores.error;
        else batchChunks = Math.ceil(batch.length / 2);
      } catch (thrown) {
        if (signal.aborted) return;
        throw thrown;
      }
    }
  };
}

async function request(
  { protocol, service, connection, key }: ScorerParts,
  query: string,
  chunks: readonly string[],
  signal: AbortSignal,
): Promise<readonly ChunkScore[] | TooMuch> {
  const secret = key();
  const texts = chunks.map((chunk) => beginning(chunk, maxChunkLength));
  const answer = await connection.send({
    method: 'POST',
    path: '/rerank',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      ...(secret && { authorization: `Bearer ${secret}` }),
    },
    body: JSON.stringify(protocol.body(beginning(query, maxQuestionLength), texts, service.model)),
    maxBytes: minAnswerBytes + chunks.length * bytesPerScore,
    signal,
  });
  if (answer.status >= 200 && answer.status < 300) {
    return scoresIn(jsonOf(answer, service), chunks.length, protocol, service);
  }
  const { error, tooMuch } = refusalOf(answer, service);
  if (tooMuch === 'call') return { error, tooMuch };
  throw error;
}

interface RetryBounds {
  readonly clock: Clock;
  /** When the last score must be there. */
  readonly deadline: number;
  readonly signal: AbortSignal;
}

async function withRetries<Value>(
  work: () => Promise<Value>,
  { clock, deadline, signal }: RetryBounds,
): Promise<Value> {
  for (let attempt = 1; ; attempt += 1) {
    const started = clock.now();
    try {
      return await work();
    } catch (thrown) {
      const error = asQuarryError(thrown);
      const pause = error.retryAfter ?? firstPause * 2 ** (attempt - 1);
      // A further try takes at least as long as this one: begun too late, it would only cost the server its time.
      const comesTooLate = 2 * clock.now() - started + pause > deadline;
      if (signal.aborted || !mayPass(error) || attempt >= maxAttempts || comesTooLate) throw error;
      await clock.wait(pause, signal);
    }
  }
}

function mayPass({ code }: QuarryError): boolean {
  return code === 'provider-limited' || code === 'provider-unreachable';
}

/** The beginning of a text, without half a character at its end; some servers refuse an empty one. */
function beginning(text: string, length: number): string {
  const start = text.slice(0, length).toWellFormed();
  return start.trim() === '' ? '-' : start;
}
