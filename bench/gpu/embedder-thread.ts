import { parentPort, workerData } from 'node:worker_threads';
import { asQuarryError } from '../../src/core/errors.ts';
import { type DriverSettings, openReference } from './open-reference.ts';
import type { ThreadAnswer, ThreadTask } from './threaded-embedder.ts';

// One thread with a driver of its own: it cuts texts into tokens, calls the server and reads the answer.
const embedder = await openReference(workerData as DriverSettings);

/** Rows in one stretch of memory, so that they can be handed over without copying. */
function inOneStretch(rows: readonly Float32Array[]): Float32Array<ArrayBuffer> {
  const width = rows[0]?.length ?? 0;
  const buffer = rows[0]?.buffer;
  if (buffer instanceof ArrayBuffer && buffer.byteLength === 4 * width * rows.length)
    return new Float32Array(buffer);
  const values = new Float32Array(width * rows.length);
  for (const [at, row] of rows.entries()) values.set(row, at * width);
  return values;
}

parentPort?.on('message', async ({ number, texts, as }: ThreadTask) => {
  try {
    const values = inOneStretch(await embedder.embed(texts, { as }));
    const answer: ThreadAnswer = { number, values, width: values.length / texts.length };
    parentPort?.postMessage(answer, [values.buffer]);
  } catch (thrown) {
    const { code, message, remedy } = asQuarryError(thrown);
    parentPort?.postMessage({ number, failure: { code, message, remedy } } satisfies ThreadAnswer);
  }
});
