import { parentPort } from 'node:worker_threads';
import { asQuarryError } from '../../core/errors.ts';
import type { FromThread, ToThread } from './thread-protocol.ts';

/** What a call gives back, with the memory that is handed over uncopied. */
export interface Served<Value> {
  readonly value: Value;
  readonly transfer?: readonly ArrayBuffer[];
}

/** Answers the calls to this thread with `serve`, which looks between its steps whether the caller has stopped and then gives undefined. */
export function serveCalls<Request, Value>(
  serve: (request: Request, isCancelled: () => boolean) => Promise<Served<Value> | undefined>,
): void {
  const cancelled = new Set<number>();
  const reply = (message: FromThread<Value>, transfer: readonly ArrayBuffer[] = []): void =>
    parentPort?.postMessage(message, [...transfer]);
  const answer = async (id: number, request: Request): Promise<void> => {
    try {
      const served = await serve(request, () => cancelled.has(id));
      if (served) reply({ type: 'value', id, value: served.value }, served.transfer);
      else reply({ type: 'cancelled', id });
    } catch (thrown) {
      const { code, message, remedy } = asQuarryError(thrown);
      reply({ type: 'failure', id, code, message, remedy });
    } finally {
      cancelled.delete(id);
    }
  };
  parentPort?.on('message', (message: ToThread<Request>) => {
    if (message.type === 'cancel') cancelled.add(message.id);
    else void answer(message.id, message.request);
  });
}
