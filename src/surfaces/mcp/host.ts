import type { CallOptions } from '../../client/client.ts';
import type { ErrorData } from '../../core/errors.ts';
import type { Progress } from '../../core/progress.ts';

/** A project that a model may use. */
export interface OfferedProject {
  /** By which a model names it; unique among those offered. */
  readonly name: string;
  readonly id: string;
  /** Absent where it is on another machine. */
  readonly folder?: string;
  /** What stands before places in it, where several are asked. */
  readonly cited?: string;
  /** The projects that are asked together, where it stands for several. */
  readonly members?: readonly OfferedProject[];
}

/** How a job is doing. */
export interface JobState {
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly progress?: Progress | undefined;
  readonly result?: unknown;
  readonly error?: ErrorData;
}

/** What performs operations for a model: the engine of this process, the one in the background, or a server elsewhere. */
export interface Host {
  /** The projects that are offered; no other can be named. */
  projects(signal?: AbortSignal): Promise<readonly OfferedProject[]>;
  call(
    project: OfferedProject,
    operation: string,
    input: object,
    options: Pick<CallOptions, 'signal' | 'onEvent'>,
  ): Promise<unknown>;
  /** Begins work that continues without its caller; returns its id. */
  startJob(project: OfferedProject, operation: string, input: object): Promise<string>;
  job(id: string): Promise<JobState>;
  cancelJob(id: string): Promise<void>;
  /** What a user should know about the way it works, in sentences. */
  notes(): readonly string[];
}
