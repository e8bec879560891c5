import type { InstalledModel } from '../../models/model-files.ts';
import { type Device, parallelismOf } from './device.ts';
import { type EncoderClient, startEncoder } from './encoder-client.ts';

/** What decides whether two embedders can share their model. */
export interface EncoderKey {
  readonly model: InstalledModel;
  readonly device: Device;
  readonly threads: number;
}

/** Pools by what they were started with: all projects of a process share one model. */
const pools = new Map<string, EncoderClient[]>();

/** Embeds in the least busy copy of the model; a further copy is loaded only when all are at work. */
export function embedShared(
  key: EncoderKey,
  texts: readonly string[],
  signal?: AbortSignal,
): Promise<Float32Array[]> {
  const { sessions, threads } = parallelismOf(key.device, key.threads);
  const name = JSON.stringify(key);
  const clients = pools.get(name) ?? [];
  pools.set(name, clients);
  const idle = clients.find(({ waiting }) => waiting === 0);
  if (idle) return idle.embed(texts, signal);
  if (clients.length < sessions) {
    const client = startEncoder({ model: key.model, hardware: { device: key.device, threads } }, () => {
      const index = clients.indexOf(client);
      if (index >= 0) clients.splice(index, 1);
    });
    clients.push(client);
    return client.embed(texts, signal);
  }
  const leastBusy = clients.reduce((least, client) => (client.waiting < least.waiting ? client : least));
  return leastBusy.embed(texts, signal);
}
