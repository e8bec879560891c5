import type { ErrorCode } from '../../../core/errors.ts';
import type { InstalledModel } from '../../models/model-files.ts';
import type { BusyFlag } from './busy-flag.ts';
import type { Hardware } from './encoder.ts';

/** What the model's thread is started with. */
export interface EncoderThreadData {
  readonly model: InstalledModel;
  readonly hardware: Hardware;
  readonly flag: BusyFlag;
}

/** Requests to the model's thread. */
export type ToThread =
  | { readonly type: 'embed'; readonly id: number; readonly texts: readonly string[] }
  | { readonly type: 'cancel'; readonly id: number };

/** Its answers, one for each request to embed. */
export type FromThread =
  | { readonly type: 'cancelled'; readonly id: number }
  | { readonly type: 'vectors'; readonly id: number; readonly vectors: Float32Array[] }
  | {
      readonly type: 'failure';
      readonly id: number;
      readonly code: ErrorCode;
      readonly message: string;
      readonly remedy: string;
    };
