import { asQuarryError, QuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { operations } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { openProject } from '../../project/open-project.ts';
import { findProjectFolder } from '../../project/state-folder.ts';
import { type CommonFlags, type ParsedCommand, parseWords } from './flags.ts';
import { commandHelp, programHelp } from './help.ts';
import { type Output, terminalOutput } from './output.ts';
import { createProgress } from './progress.ts';
import { renderConfig, renderDoctor, renderIndex, renderStatus } from './render/reports.ts';
import { renderSearch } from './render/search.ts';

/** How each operation's result is shown to a person. */
const renderers: Readonly<Record<string, (result: never, output: Output) => void>> = {
  search: renderSearch,
  index: renderIndex,
  status: renderStatus,
  config: renderConfig,
  doctor: renderDoctor,
};

/** Runs one command and returns the exit code of the catalogue. */
export async function runCommandLine(words: readonly string[]): Promise<number> {
  const plain = terminalOutput({ colour: true, quiet: false });
  const [name, ...rest] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    const topic = operations.find((operation) => operation.name === rest[0]);
    plain.result(topic ? commandHelp(topic) : programHelp());
    return name === undefined ? 2 : 0;
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

async function perform(operation: Operation, { input, common }: ParsedCommand): Promise<number> {
  const output = terminalOutput({ colour: common.colour, quiet: common.quiet || common.json });
  const stop = new AbortController();
  // The first Ctrl-C stops between two commits; a second one ends the process as usual.
  const onInterrupt = () => stop.abort();
  process.once('SIGINT', onInterrupt);
  process.once('SIGTERM', onInterrupt);
  const progress = createProgress(output);
  const project = await openProject(common.project ?? (await findProjectFolder('.')), {
    settings: common.settings,
  });
  try {
    const work = operation.run(project, input, { signal: stop.signal });
    let step = await work.next();
    for (; !step.done; step = await work.next()) {
      if (common.json && operation.name === 'index') output.result(JSON.stringify(eventData(step.value)));
      progress.tell(step.value);
    }
    progress.end();
    show(operation, step.value, common, output);
    return exitCodeOf(operation, step.value);
  } finally {
    progress.end();
    process.off('SIGINT', onInterrupt);
    process.off('SIGTERM', onInterrupt);
    await project.close();
  }
}

function show(operation: Operation, result: unknown, common: CommonFlags, output: Output): void {
  if (common.json) {
    // `index --json` has told everything as events, one a line; the last one is the result.
    const data = operation.name === 'index' ? { type: 'result', ...(result as object) } : result;
    output.result(operation.name === 'index' ? JSON.stringify(data) : JSON.stringify(data, null, 2));
  } else renderers[operation.name]?.(result as never, output);
}

/** A doctor who found something bad, or an index without its vectors, is no success for a script. */
function exitCodeOf(operation: Operation, result: unknown): number {
  if (operation.name === 'doctor') return (result as { healthy: boolean }).healthy ? 0 : 1;
  if (operation.name !== 'index') return 0;
  const [warning] = (result as { warnings: { code: string; message: string; remedy: string }[] }).warnings;
  return warning
    ? new QuarryError(warning.code as QuarryError['code'], warning.message, warning.remedy).exitCode
    : 0;
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
  const { code, message, remedy, exitCode } = error;
  if (asJson) output.result(JSON.stringify({ type: 'error', code, message, remedy }));
  output.note(`${output.styleNote('red', 'quarry:')} ${message} (${code})`);
  output.note(remedy);
  return exitCode;
}

/** An event as JSON: errors inside it in the shape that leaves the process. */
function eventData(event: IndexEvent): object {
  if (event.type !== 'vectors-failed') return event;
  const { code, message, remedy } = event.error;
  return { ...event, error: { code, message, remedy } };
}
