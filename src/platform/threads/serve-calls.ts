import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import { createSerialQueue } from '../serial-queue.ts';
import { failureToData } from './failure-data.ts';
import type { FromThread, ToThread } from './messages.ts';

/** The result of a call, with the memory that is transferred without copying. */
export interface Served<Value> {
  readonly value: Value;
  readonly transfer?: readonly ArrayBuffer[];
}

/** What a call gets in addition to its request. */
export interface CallContext<Progress> {
  /** Aborted when the caller cancels; the call should then reject with `interrupted` soon. */
  readonly signal: AbortSignal;
  report(progress: Progress): void;
}

/** What this thread was started with. */
export function threadData<Data>(): Data {
  return isMainThread ? JSON.parse(process.argv[2] ?? 'null') : workerData;
}

/** Answers the calls to this thread with `serve`, one after the other. What libraries print is dropped. */
export function serveInTurn<Request, Value, Progress = never>(
  serve: (request: Request, context: CallContext<Progress>) => Promise<Served<Value>>,
): void {
  for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
  const queue = createSerialQueue();
  serveCalls<Request, Value, Progress>((request, context) => queue(() => serve(request, context)));
}

/** Answers the calls to this thread with `serve`; several may run at once. */
export function serveCalls<Request, Value, Progress = never>(
  serve: (request: Request, context: CallContext<Progress>) => Promise<Served<Value>>,
): void {
  const running = new Map<number, AbortController>();
  const send = (message: FromThread<Value, Progress>, transfer: readonly ArrayBuffer[] = []): void =>
    void (parentPort ? parentPort.postMessage(message, [...transfer]) : process.send?.(message));
  const answer = async (id: number, request: Request): Promise<void> => {
    const controller = new AbortController();
    running.set(id, controller);
    try {
      const report = (progress: Progress): void => send({ type: 'progress', id, progress });
      const { value, transfer } = await serve(request, { signal: controller.signal, report });
      send({ type: 'value', id, value }, transfer);
    } catch (thrown) {
      send({ type: 'failure', id, error: failureToData(thrown) });
    } finally {
      running.delete(id);
    }
  };
  (parentPort ?? process).on('message', (message: ToThread<Request>) => {
    if (message.type === 'cancel') running.get(message.id)?.abort();
    else void answer(message.id, message.request);
  });
  send({ type: 'ready' });
}
