import { relative, resolve, sep } from 'node:path';
import { isatty } from 'node:tty';
import type { QuarryEvent } from '../../core/events.ts';
import type { Operation } from '../../operations/operation.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { findProjectFolder } from '../../project/state-folder.ts';
import type { ParsedCommand } from './flags.ts';
import { harmless } from './output.ts';

/** What a command hears of its operation while it runs. */
export interface Follower {
  readonly signal: AbortSignal;
  onEvent(event: QuarryEvent): void;
  /** Called once, at the end: what is closed after it is no longer waited for by a reader. */
  onResult(result: unknown, folder: string): Promise<void>;
  /** Something a person should know, on a line of its own. */
  note(line: string): void;
}

/** Opens the project in this process and runs the operation there. The only way from a command to the engine. */
export async function runInProcess(
  operation: Operation,
  { input, common: { project: given, settings } }: ParsedCommand,
  { signal, onEvent, onResult, note }: Follower,
): Promise<void> {
  const project = await openProject(given ?? (await findProjectFolder('.')), { settings });
  try {
    if (!given && project.folder !== process.cwd()) note(`Project: ${harmless(project.folder)}`);
    const piped = isatty(0) ? {} : { stdin: () => process.stdin };
    const meant = fromProject(operation, input, project.folder);
    await onResult(
      await resultOf(operation.run(project, meant, { signal, ...piped }), onEvent),
      project.folder,
    );
  } finally {
    await project.close();
  }
}

/** The input with paths as they are seen from the project; a person types them as seen from the current folder. */
function fromProject(
  { pathFields = [] }: Operation,
  input: Record<string, unknown>,
  folder: string,
): Record<string, unknown> {
  const seen = (path: string) => relative(folder, resolve(path)).split(sep).join('/') || '.';
  const paths = pathFields.map((field) => [field, (input[field] as string[]).map(seen)] as const);
  return { ...input, ...Object.fromEntries(paths) };
}
