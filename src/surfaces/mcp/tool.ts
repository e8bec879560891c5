import type { z } from 'zod';
import type { Progress } from '../../core/progress.ts';
import type { Host, OfferedProject } from './host.ts';

/** What a tool works with. */
export interface ToolContext {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** Whether the caller hears of progress, and so waits longer. */
  readonly isFollowed: boolean;
  /** The one project that the call names, or the only one there is. */
  project(): Promise<OfferedProject>;
  report(progress: Progress): void;
}

/** What a tool came to: as data, and as text that a model reads. */
export interface ToolAnswer {
  readonly data: object;
  readonly text: string;
}

/** A tool for a model: an operation, with the part of its input and output that a model needs. */
export interface McpTool {
  readonly name: string;
  readonly title: string;
  /** Written for a model: when to use it, and what comes back. */
  readonly description: string;
  /** The operation whose effect, reach and fields it has. */
  readonly operation: string;
  /** Fields of the operation's input that are offered, each with its own default where it needs another one. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Those of them that a call must have, where the operation takes something else in their place. */
  readonly required?: readonly string[];
  /** Whether it concerns one project, so that it may be named. */
  readonly isOfProject: boolean;
  readonly output: z.ZodObject;
  call(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolAnswer>;
}
