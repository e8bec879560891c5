import { isatty } from 'node:tty';
import type { Project } from '../../../calls/project.ts';
import { asQuarryError } from '../../../core/errors.ts';
import { eventToData, type QuarryEvent } from '../../../core/events.ts';
import { shownLine } from '../../../core/text/shown-text.ts';
import type { Operation } from '../../../operations/operation.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { resultOf } from '../../../platform/streams.ts';
import { openProject, openWhateverSettings } from '../../../project/open-project.ts';
import { findProjectFolder } from '../../../state-folder/state-folder.ts';
import type { ParsedCommand } from '../commands/parse-words.ts';
import { type Follower, fromProject } from './follower.ts';
import { foldersOf, type SeveralCommand } from './several.ts';

/** Opens several projects in this process and runs the operation on all of them. */
export async function runSeveralInProcess(
  operation: Operation,
  several: SeveralCommand,
  { signal, onEvent, onResult }: Follower,
): Promise<void> {
  const { createEngine } = await import('../../../engine/engine.ts');
  const engine = createEngine({ environment: processEnvironment, watch: false });
  try {
    for (const { folder, isRegistered } of several.projects) if (!isRegistered) await engine.adopt(folder);
    const work = engine.performOn(several.projects, operation, { ...several.input }, signal);
    const result = await resultOf(work, (event) => onEvent(eventToData(event)));
    await onResult(result, foldersOf(several), operation.exitCode?.(result as never) ?? 0);
  } finally {
    await engine.close();
  }
}

/** Opens the project in this process and runs the operation there. */
export async function runInProcess(
  operation: Operation,
  { input, common: { project: given, settings } }: ParsedCommand,
  { signal, onEvent, onResult, note }: Follower,
): Promise<void> {
  const look = (event: QuarryEvent): void => onEvent(eventToData(event));
  if (operation.standsAlone) {
    // It never looks at its project.
    const work = operation.run(undefined as never, input, { signal });
    const result = await resultOf(work, look);
    await onResult(result, process.cwd(), operation.exitCode?.(result) ?? 0);
    return;
  }
  const folder = given ?? (await findProjectFolder('.'));
  const { project, fault } = operation.needsNoSettings
    ? await openWhateverSettings(folder, { settings })
    : { project: await openProject(folder, { settings }) };
  let leavesWork = false;
  try {
    if (!given && project.folder !== process.cwd()) note(`Project: ${shownLine(project.folder)}`);
    const piped = isatty(0) ? {} : { stdin: () => process.stdin };
    if (fault && operation.needsNoSettings === 'note')
      note(`${shownLine(fault.message)} ${shownLine(fault.remedy)}`);
    const meant = fromProject(operation, input, project.folder);
    const vectorsLater = mayStartResident(project, settings);
    // A command with settings of its own is never for an engine.
    const engine = Object.keys(settings).length === 0 && { startingEngine };
    const work = operation.run(project, meant, {
      signal,
      vectorsLater,
      ...(fault && { fault }),
      ...piped,
      ...engine,
    });
    const result = await resultOf(work, look);
    leavesWork = vectorsLater && operation.leavesWork?.(result) === true;
    await onResult(result, project.folder, operation.exitCode?.(result) ?? 0);
  } finally {
    await project.close();
  }
  if (leavesWork) {
    const { startResident } = await import('../../../client/start-resident.ts');
    // What was asked for is done; the rest waits for the next command.
    await startResident(project.folder).catch((thrown) => note(shownLine(asQuarryError(thrown).message)));
  }
}

async function startingEngine(): Promise<number | undefined> {
  return (await import('../../../client/starting-resident.ts')).startingResident();
}

/** Whether an engine in the background may finish what this command leaves: not in CI, nor for settings of one command. */
function mayStartResident({ settings }: Project, own: ParsedCommand['common']['settings']): boolean {
  const isInCi = ![undefined, 'false', '0'].includes(processEnvironment('CI'));
  return settings.enabled && settings.resident.mode === 'auto' && !isInCi && Object.keys(own).length === 0;
}
