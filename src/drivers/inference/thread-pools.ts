import type { InstalledModel } from '../models/model-files.ts';
import { type Device, parallelismOf } from './device.ts';
import { type ModelThread, type ModelThreadKind, startModelThread } from './model-thread.ts';

/** What decides whether two users of a model can share it. */
export interface PoolKey {
  readonly model: InstalledModel;
  readonly device: Device;
  readonly threads: number;
}

/** Calls a model in the least busy of its threads. */
export type CallShared<Request, Value> = (
  key: PoolKey,
  request: Request,
  signal?: AbortSignal,
) => Promise<Value>;

/** Pools by what they were started with: all projects of a process share one model. */
export function createThreadPools<Request, Value>(kind: ModelThreadKind): CallShared<Request, Value> {
  const pools = new Map<string, ModelThread<Request, Value>[]>();
  return (key, request, signal) => {
    const { sessions, threads } = parallelismOf(key.device, key.threads);
    const name = JSON.stringify(key);
    const pool = pools.get(name) ?? [];
    pools.set(name, pool);
    const idle = pool.find(({ waiting }) => waiting === 0);
    if (idle) return idle.call(request, signal);
    // A further copy is loaded only when all are at work.
    if (pool.length < sessions) {
      const data = { model: key.model, hardware: { device: key.device, threads } };
      const added = startModelThread<Request, Value>(kind, data, () => {
        const index = pool.indexOf(added);
        if (index >= 0) pool.splice(index, 1);
      });
      pool.push(added);
      return added.call(request, signal);
    }
    const leastBusy = pool.reduce((least, thread) => (thread.waiting < least.waiting ? thread : least));
    return leastBusy.call(request, signal);
  };
}
