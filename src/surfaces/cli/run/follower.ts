import { relative, resolve, sep } from 'node:path';
import type { EventData } from '../../../core/events.ts';
import type { Operation } from '../../../operations/operation.ts';

/** The folder of the project that answered, or those of several by their names. */
export type AnswerFolder = string | ReadonlyMap<string, string>;

/** What a command hears of its operation while it runs. */
export interface Follower {
  readonly signal: AbortSignal;
  onEvent(event: EventData): void;
  /** Called once, at the end: what is closed after it is no longer waited for by a reader. */
  onResult(result: unknown, folder: AnswerFolder, exitCode: number): Promise<void>;
  /** Whether a part of the result has been printed, which cannot be taken back. */
  hasShown(): boolean;
  /** Something a person should know, on a line of its own. */
  note(line: string): void;
}

/** The input with paths as they are seen from the project; a person types them as seen from the current folder. */
export function fromProject(
  { pathFields = [] }: Pick<Operation, 'pathFields'>,
  input: Readonly<Record<string, unknown>>,
  folder: string,
): Record<string, unknown> {
  const seen = (path: string) => relative(folder, resolve(path)).split(sep).join('/') || '.';
  const paths = pathFields
    .filter((field) => input[field] !== undefined)
    .map((field) => [field, (input[field] as string[]).map(seen)] as const);
  return { ...input, ...Object.fromEntries(paths) };
}
