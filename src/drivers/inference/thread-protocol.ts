import type { ErrorCode } from '../../core/errors.ts';
import type { InstalledModel } from '../models/model-files.ts';
import type { BusyFlag } from './busy-flag.ts';
import type { Device } from './device.ts';

/** What the arithmetic runs on. */
export interface Hardware {
  readonly device: Device;
  /** Threads inside one call. */
  readonly threads: number;
}

/** What a model's thread is started with. */
export interface ModelThreadData {
  readonly model: InstalledModel;
  readonly hardware: Hardware;
  readonly flag: BusyFlag;
}

/** Messages to a model's thread. */
export type ToThread<Request> =
  | { readonly type: 'call'; readonly id: number; readonly request: Request }
  | { readonly type: 'cancel'; readonly id: number };

/** Its answers, one for each call. */
export type FromThread<Value> =
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'value'; readonly id: number; readonly value: Value }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly remedy: string;
    };
