import type { z } from 'zod';
import type { Progress } from '../../core/progress.ts';
import type { Host, OfferedProject } from './host.ts';

/** What a conversation has been shown, so that nothing is shown twice. */
export interface Session {
  /** Projects and identities of chunks whose text it has, oldest first. */
  readonly known: Set<string>;
}

/** A conversation that has seen nothing yet. */
export function newSession(): Session {
  return { known: new Set() };
}

/** What a tool works with. */
export interface ToolContext {
  readonly host: Host;
  readonly signal: AbortSignal;
  /** What this conversation has been shown. */
  readonly session: Session;
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
  /** Written for a model: when to use it, and what comes back. */
  readonly description: string;
  /** The operation whose effect, reach and fields it has. */
  readonly operation: string;
  /** Fields of the operation's input that are offered, each with its own default where it needs another one. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Fields that it takes too, for those who know them: a list of everything would be paid for in every conversation. */
  readonly unlisted?: readonly string[];
  /** Fields of its own, where it has others than its operation. */
  readonly own?: z.ZodRawShape;
  /** Whether it is left out of the list: it is called through another tool, or by those who know it. */
  readonly isUnlisted?: true;
  /** Those of the fields that a call must have, where the operation takes something else in their place. */
  readonly required?: readonly string[];
  /** Whether it concerns one project, so that it may be named. */
  readonly isOfProject: boolean;
  call(input: Readonly<Record<string, unknown>>, context: ToolContext): Promise<ToolAnswer>;
}
