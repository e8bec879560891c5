import type { QuarryError } from '../../core/errors.ts';
import { setVariable } from '../../platform/environment.ts';
import { createSharedThreads, type SharedThreads } from '../../platform/threads/shared-threads.ts';
import type { InstalledModel } from '../model-card.ts';
import { type BusyFlag, createBusyFlag, markIdle } from './busy-flag.ts';
import { type Device, type Hardware, parallelismOf } from './device.ts';

/** A kind of thread that holds a model. */
export interface ModelThreadKind {
  /** The module that it runs. */
  readonly file: URL;
  /** The error for a thread that ended by itself. */
  crashed(reason: string): QuarryError;
}

/** What a thread of models is started with. */
export interface ModelThreadData {
  readonly hardware: Hardware;
  /** Absent in a process of its own: its end waits for nothing. */
  readonly flag?: BusyFlag;
}

/** What a thread is asked, and the model that is asked: it loads that at its first use. */
export interface ModelCall<Request> {
  readonly model: InstalledModel;
  readonly request: Request;
}

/** What decides whether two users of a model can share it. */
export interface SharedModel {
  readonly model: InstalledModel;
  readonly device: Device;
  readonly threads: number;
}

/** Calls a model in the least busy of its threads; a further copy is loaded only when all are at work. */
export type CallModel<Request, Value> = (
  key: SharedModel,
  request: Request,
  signal?: AbortSignal,
) => Promise<Value>;

/**
 * Threads by what they run on: all projects of a process share them, and so do models, since to start a thread costs as
 * much as to load a small model. On Windows they are processes: where a Windows has no graphics, the runtime prints that to the standard error of its process, and has no switch for it.
 */
export function createModelThreads<Request, Value>(
  kind: ModelThreadKind,
  isProcess = process.platform === 'win32',
): CallModel<Request, Value> {
  const shared = new Map<string, SharedThreads<ModelCall<Request>, Value>>();
  return ({ model, device, threads }, request, signal) => {
    const name = `${device} ${threads}`;
    const pool = shared.get(name) ?? startShared<Request, Value>(kind, device, threads, isProcess);
    shared.set(name, pool);
    return pool.call({ model, request }, { signal, of: model.folder });
  };
}

function startShared<Request, Value>(
  { file, crashed }: ModelThreadKind,
  device: Device,
  wanted: number,
  isProcess: boolean,
): SharedThreads<ModelCall<Request>, Value> {
  const { sessions, threads } = parallelismOf(device, wanted);
  // The runtime would keep a number of this machine in the user's home, or in the current folder, and report its use.
  setVariable('ORT_DISABLE_TELEMETRY', '1');
  return createSharedThreads(sessions, () => {
    const flag = isProcess ? undefined : createBusyFlag();
    return {
      file,
      isProcess,
      data: { hardware: { device, threads }, ...(flag && { flag }) } satisfies ModelThreadData,
      // When it starts, the runtime matches the command line with a pattern that recurses once for each character: a
      // long query overflows an ordinary stack. The size is reserved, not used.
      resourceLimits: { stackSizeMb: 256 },
      describeDeath: ({ reason }) => crashed(reason),
      // A failed load is not remembered: the user may remove the cause and try again.
      isReplacedAfter: ({ code }) => code !== 'interrupted',
      onEnd: () => flag && markIdle(flag),
    };
  });
}
