import type { FailureData } from './failure-data.ts';

/** What a process sends to one of its threads. */
export type ToThread<Request> =
  | { readonly type: 'call'; readonly id: number; readonly request: Request }
  | { readonly type: 'cancel'; readonly id: number };

/** What a thread sends back: once that it is ready, then one answer for each call. */
export type FromThread<Value, Progress> =
  | { readonly type: 'ready' }
  | { readonly type: 'progress'; readonly id: number; readonly progress: Progress }
  | Answer<Value>;

/** The answer to a call. */
export type Answer<Value> =
  | { readonly type: 'value'; readonly id: number; readonly value: Value }
  | { readonly type: 'failure'; readonly id: number; readonly error: FailureData };
