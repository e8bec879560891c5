/** What the inference runtime can compute on, where its build and the machine have it. */
export const devices = ['cpu', 'cuda', 'tensorrt', 'coreml', 'dml', 'webgpu'] as const;

/** One of the devices of the inference runtime. */
export type Device = (typeof devices)[number];

/** What the arithmetic runs on. */
export interface Hardware {
  readonly device: Device;
  /** Threads inside one call. */
  readonly threads: number;
}

/** Copies of the model in memory at once: each costs about 85 MB, and beyond four they share memory bandwidth. */
const maxSessions = 4;

/** How the cores are used: several texts at a time, each on as few threads as possible. */
export interface Parallelism {
  readonly sessions: number;
  /** Threads inside one session. */
  readonly threads: number;
}

/**
 * Splits threads into sessions. Threads inside a call wait for each other many times per layer, so that two calls on
 * one thread each do more than one call on two; a call on a GPU fills it alone.
 */
export function parallelismOf(device: Device, threads: number): Parallelism {
  if (device !== 'cpu') return { sessions: 1, threads };
  const sessions = Math.min(threads, maxSessions);
  return { sessions, threads: Math.floor(threads / sessions) };
}
