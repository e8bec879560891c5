import { serverInUse, tokenInClear } from '../../client/server-address.ts';
import { asQuarryError, errorToData, QuarryError } from '../../core/errors.ts';
import type { QuarryEvent } from '../../core/events.ts';
import { shownJson, shownLine } from '../../core/text/shown-text.ts';
import { loadOperation, type OperationEntry } from '../../operations/catalogue.ts';
import type { SearchHit } from '../../operations/find/hit-as-data.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { builtShape, type CommandShape } from './commands/command-shape.ts';
import { findCommand, withCommandFirst } from './commands/find-command.ts';
import { type OwnCommand, ownCommandHelp, ownCommands } from './commands/own-commands.ts';
import { type CommonFlags, type ParsedCommand, parseWords } from './commands/parse-words.ts';
import { loadRenderer, type Renderer } from './renderers.ts';
import { askAtTerminal, confirm } from './run/confirmation.ts';
import type { Follower } from './run/follower.ts';
import { followInterrupts } from './run/interrupts.ts';
import { type Output, terminalOutput, withLinks } from './terminal/output.ts';
import { keepAskingForReader } from './terminal/reader.ts';

/** Never aborted. */
const neverAborted = new AbortController().signal;

/** Runs one command and returns its exit code. It stops silently when the reader of its output has left. */
export async function runCommandLine(
  written: readonly string[],
  readerGone: AbortSignal = neverAborted,
): Promise<number> {
  const plain = terminalOutput({ colour: true, quiet: false });
  const words = withCommandFirst(written);
  const [name] = words;
  if (name === undefined || name === '--help' || name === '-h' || name === 'help') {
    return help(words, plain);
  }
  // Words after a bare `--` are not flags.
  const asJson = words.slice(0, [...words, '--'].indexOf('--')).includes('--json');
  try {
    const own = ownCommands.find((command) => command.name === name);
    if (own) return await runOwn(own, words.slice(1), plain);
    const { entry, rest, group, instead } = findCommand(words);
    const shape =
      builtShape(entry.name) ?? (await import('./commands/flags.ts')).shapeOf(await loadOperation(entry));
    const command = parseWords(shape, rest);
    if (command.common.help) {
      const { commandHelp, groupHelp } = await import('./commands/help.ts');
      plain.result(await (group === undefined ? commandHelp(entry) : groupHelp(group)));
      return 0;
    }
    if (instead !== undefined && !command.common.quiet)
      plain.note(`"quarry ${entry.name}" is "quarry ${instead}" now; the old name works until 0.3.0.`);
    return await perform(entry, shape, { ...command, words }, readerGone);
  } catch (thrown) {
    const error = asQuarryError(thrown);
    // The reader ended the output on purpose: no message is needed.
    if (readerGone.aborted && error.code === 'interrupted') return error.exitCode;
    return report(error, asJson, plain);
  }
}

async function runOwn(command: OwnCommand, words: readonly string[], output: Output): Promise<number> {
  if (!words.includes('--help') && !words.includes('-h')) return command.run(words, output);
  output.result(ownCommandHelp(command));
  return 0;
}

async function help([asked, ...topic]: readonly string[], output: Output): Promise<number> {
  try {
    const { commandHelp, groupHelp, programHelp } = await import('./commands/help.ts');
    const isOfCommand = topic[0] !== undefined && !topic[0].startsWith('-');
    const own = ownCommands.find(({ name }) => name === topic[0]);
    if (own) output.result(ownCommandHelp(own));
    else if (isOfCommand) {
      const { entry, group } = findCommand(topic);
      output.result(await (group === undefined ? commandHelp(entry) : groupHelp(group)));
    } else output.result(await programHelp());
    return asked === undefined ? 2 : 0;
  } catch (thrown) {
    return report(asQuarryError(thrown), false, output);
  }
}

/** The operations whose answers count in the receipt. */
const quotesFiles = ['search', 'read', 'ask', 'context', 'memory'];

async function perform(
  entry: OperationEntry,
  shape: CommandShape,
  command: ParsedCommand & { readonly words: readonly string[] },
  readerGone: AbortSignal,
): Promise<number> {
  const { common } = command;
  const interrupts = followInterrupts();
  const printsEvents = common.json && shape.streams === true;
  const stopAsking = printsEvents ? keepAskingForReader() : undefined;
  const terminal = terminalOutput({
    colour: common.colour,
    quiet: common.quiet || common.json,
    whole: common.json,
  });
  let hasShown = false;
  let given = 0;
  const output: Output = {
    ...terminal,
    result(line) {
      given += line.length + 1;
      terminal.result(line);
    },
    write(text) {
      const isWritten = terminal.write?.(text) ?? false;
      if (isWritten) given += text.length;
      hasShown ||= isWritten;
      return isWritten;
    },
  };
  const renderer = await loadRenderer(shape.name);
  const progress = renderer.createProgress(output);
  const count = renderer.countEvents?.();
  let exitCode = 0;
  try {
    const signal = AbortSignal.any([interrupts.signal, readerGone]);
    await confirm(shape, command.words, common.yes, askAtTerminal(), signal);
    const follower: Follower = {
      signal,
      note: output.note,
      hasShown: () => hasShown,
      onEvent(event) {
        if (printsEvents) output.result(shownJson(event));
        hasShown ||= printsEvents;
        count?.hear(event);
        // As data, its errors have the same fields; renderers read nothing else.
        progress.report(event as QuarryEvent);
      },
      async onResult(result, folder, code) {
        progress.end();
        // Nothing is printed after the last line while the project closes.
        stopAsking?.();
        show(shape, renderer, result, common, withLinks(output, folder, common.colour));
        exitCode = code;
        if (quotesFiles.includes(shape.name)) {
          const { noteReceipt } = await import('../../user/receipts/note-receipt.ts');
          const surface = process.stdout.isTTY ? 'terminal' : 'shell';
          const own = typeof folder === 'string' ? folder : undefined;
          await noteReceipt({ surface, operation: shape.name, folder: own, given, answer: result });
        }
        if (shape.name === 'search') {
          const { rememberHits } = await import('./terminal/last-hits.ts');
          await rememberHits(folder, (result as { hits: SearchHit[] }).hits);
        }
      },
    };
    let meant = command.input;
    const checked = async () => {
      const operation = await loadOperation(entry);
      const { checkInput } = await import('./commands/flags.ts');
      return { operation, input: checkInput(operation, meant) };
    };
    const stopped = async (thrown: unknown): Promise<true> => {
      if (!count || !signal.aborted || asQuarryError(thrown).code !== 'interrupted') throw thrown;
      await follower.onResult(count.totals(), process.cwd(), 0);
      return true;
    };
    const server = serverInUse(processEnvironment, common.server);
    const inClear = server && tokenInClear(server);
    if (inClear) output.note(`${output.styleNote('yellow', 'warning')} ${inClear}`);
    if (server) {
      const { runThroughServer } = await import('./run/run-through-server.ts');
      const through = runThroughServer(server, shape, command, follower);
      if (await through.catch(namingTheFlag(checked)).catch(stopped)) return exitCode;
    }
    const { severalOnMachine } = await import('./run/several.ts');
    const several = shape.takesSeveral && (await severalOnMachine(shape, command));
    if (several) meant = several.input;
    const { runThroughResident } = await import('./run/run-through-resident.ts');
    const through = runThroughResident(shape, command, follower, several);
    if (await through.catch(namingTheFlag(checked)).catch(stopped)) return exitCode;
    const { operation, input } = await checked();
    const { runInProcess, runSeveralInProcess } = await import('./run/run-in-process.ts');
    if (several) await runSeveralInProcess(operation, { ...several, input }, follower);
    else await runInProcess(operation, { ...command, input }, follower);
    return exitCode;
  } finally {
    progress.end();
    stopAsking?.();
    interrupts.release();
  }
}

/** Input that an engine refuses is checked here too: the error then names the flag, and not a field. */
function namingTheFlag(check: () => Promise<unknown>): (thrown: unknown) => Promise<never> {
  return async (thrown) => {
    if (thrown instanceof QuarryError && thrown.code === 'usage-invalid') await check();
    throw thrown;
  };
}

function show(
  { streams }: CommandShape,
  renderer: Partial<Renderer>,
  result: unknown,
  { json, colour }: CommonFlags,
  output: Output,
): void {
  if (!json) renderer.render?.(result as never, output);
  // After events that were printed one per line, the result is the last line.
  else if (streams) output.result(shownJson({ type: 'result', ...(result as object) }));
  else output.result(shownJson(result, 2));
  if (json) renderer.warn?.(result as never, terminalOutput({ colour, quiet: false }));
}

function report(error: QuarryError, asJson: boolean, output: Output): number {
  if (asJson) output.result(shownJson({ type: 'error', ...errorToData(error) }));
  // The message may quote a file that came with a repository.
  output.note(`${output.styleNote('red', 'quarry:')} ${shownLine(error.message)} (${error.code})`);
  output.note(shownLine(error.remedy));
  return error.exitCode;
}
