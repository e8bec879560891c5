import { interrupted } from '../../../core/errors.ts';
import type { EngineSettings } from './engine.ts';
import { startThread, type ThreadClient, type ThreadTask } from './thread-client.ts';
import type { VectorBlock } from './thread-protocol.ts';

/** Threads that share the calls of one embedder. */
export interface ThreadPool {
  /** Embeds in the least busy thread; a further one is started only when all are at work. */
  embed(task: ThreadTask): Promise<VectorBlock>;
  /** Ends the threads; calls in flight and later ones are interrupted. */
  close(): Promise<void>;
}

/** A pool of at most so many threads; none is started before the first call. */
export function createThreadPool(settings: EngineSettings, most: number): ThreadPool {
  const clients: ThreadClient[] = [];
  let isClosed = false;

  const start = (): ThreadClient => {
    const client = startThread(settings, () => {
      // A thread that ended leaves its place to a new one.
      const index = clients.indexOf(client);
      if (index >= 0) clients.splice(index, 1);
    });
    clients.push(client);
    return client;
  };
  const leastBusy = (): ThreadClient | undefined =>
    clients.reduce<ThreadClient | undefined>(
      (least, client) => (least && least.waiting <= client.waiting ? least : client),
      undefined,
    );

  return {
    async embed(task) {
      if (isClosed) throw interrupted();
      const client = leastBusy();
      const isFree = client && (client.waiting === 0 || clients.length >= most);
      return (isFree ? client : start()).embed(task);
    },
    async close() {
      isClosed = true;
      await Promise.all([...clients].map((client) => client.close()));
    },
  };
}
