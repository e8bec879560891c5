import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { operations } from '../../operations/catalogue.ts';
import { problemOf } from '../../operations/index-project.ts';
import type { Operation, OperationEvent } from '../../operations/operation.ts';
import { openProject } from '../../project/open-project.ts';
import { findProjectFolder } from '../../project/state-folder.ts';
import { type CommonFlags, type ParsedCommand, parseWords } from './flags.ts';
import { commandHelp, programHelp } from './help.ts';
import { harmless, type Output, terminalOutput } from './output.ts';
import { createProgress, type Progress } from './progress.ts';
import { renderCache } from './render/cache.ts';
import { renderConsent } from './render/consent.ts';
import { renderEvaluation } from './render/eval.ts';
import { renderModel } from './render/model.ts';
import { renderConfig, renderDoctor, renderIndex, renderStatus } from './render/reports.ts';
import { renderSearch } from './render/search.ts';
import { renderClean, renderManifest, renderRepair, renderVerify } from './render/upkeep.ts';
import { createWatchProgress, renderWatch } from './render/watch.ts';

/** How each operation's result is shown to a person. */
const renderers: Readonly<Record<string, (result: never, output: Output) => void>> = {
  search: renderSearch,
  index: renderIndex,
  watch: renderWatch,
  status: renderStatus,
  verify: renderVerify,
  repair: renderRepair,
  clean: renderClean,
  manifest: renderManifest,
  model: renderModel,
  cache: renderCache,
  consent: renderConsent,
  config: renderConfig,
  doctor: renderDoctor,
  eval: renderEvaluation,
};

/** How the events of an operation are shown, where that is not a single run with one bar. */
const progressOf: Readonly<Record<string, (output: Output) => Progress>> = { watch: createWatchProgress };

/** Runs one command and returns the exit code of the catalogue. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const plain = terminalOutput({ colour: true, quiet: false });
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(name, rest[0], plain);
  }
  const asJson = rest.includes('--json');
  try {
    const operation = findOperation(name);
    const command = parseWords(operation, rest);
    if (command.common.help) {
      plain.result(commandHelp(operation));
      return 0;
    }
    return await perform(operation, command);
  } catch (thrown) {
    return report(asQuarryError(thrown), asJson, plain);
  }
}

function help(asked: string | undefined, topic: string | undefined, output: Output): number {
  try {
    output.result(topic && !topic.startsWith('-') ? commandHelp(findOperation(topic)) : programHelp());
    return asked === undefined ? 2 : 0;
  } catch (thrown) {
    return report(asQuarryError(thrown), false, output);
  }
}

async function perform(operation: Operation, { input, common }: ParsedCommand): Promise<number> {
  const output = terminalOutput({ colour: common.colour, quiet: common.quiet || common.json });
  const stop = new AbortController();
  // The first Ctrl-C stops between two commits; a second one ends the process as usual.
  const onInterrupt = () => stop.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  const progress = (progressOf[operation.name] ?? createProgress)(output);
  const folder = common.project ?? (await findProjectFolder('.'));
  const project = await openProject(folder, { settings: common.settings });
  if (!common.project && project.folder !== process.cwd())
    output.note(`Project: ${harmless(project.folder)}`);
  try {
    const work = operation.run(project, input, { signal: stop.signal });
    let step = await work.next();
    for (; !step.done; step = await work.next()) {
      if (common.json && operation.streams) output.result(JSON.stringify(eventData(step.value)));
      progress.tell(step.value);
    }
    progress.end();
    show(operation, step.value, common, output);
    return operation.exitCode?.(step.value) ?? 0;
  } finally {
    progress.end();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    await project.close();
  }
}

function show(operation: Operation, result: unknown, common: CommonFlags, output: Output): void {
  if (!common.json) renderers[operation.name]?.(result as never, output);
  // Where the events were told one a line, the result is the last line.
  else if (operation.streams) output.result(JSON.stringify({ type: 'result', ...(result as object) }));
  else output.result(JSON.stringify(result, null, 2));
}

function findOperation(name: string): Operation {
  const operation = operations.find((candidate) => candidate.name === name);
  if (operation) return operation;
  const names = operations.map((candidate) => candidate.name).join(', ');
  throw new QuarryError(
    'usage-invalid',
    `There is no command "${name}".`,
    `Use one of: ${names}. Run: quarry --help`,
  );
}

function report(error: QuarryError, asJson: boolean, output: Output): number {
  if (asJson) output.result(JSON.stringify({ type: 'error', ...problemOf(error) }));
  // The message may quote a file that came with a repository.
  output.note(`${output.styleNote('red', 'quarry:')} ${harmless(error.message)} (${error.code})`);
  output.note(harmless(error.remedy));
  return error.exitCode;
}

/** An event as JSON: errors inside it in the shape that leaves the process. */
function eventData(event: OperationEvent): object {
  return 'error' in event ? { ...event, error: problemOf(event.error) } : event;
}
