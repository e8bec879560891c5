import { parseArgs } from 'node:util';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { nearestWord } from '../../../core/text/nearest-words.ts';
import { needsConfirmation } from '../../../operations/permission.ts';
import { asksByFlag, type CommandShape, type FlagShape } from './command-shape.ts';
import { lineOf, performed } from './commands.ts';

/** Flags that every command has. */
export interface CommonFlags {
  readonly project: string | undefined;
  /** Whether every project that has a name is asked. */
  readonly all: boolean;
  /** Names of projects that are asked together, and folders. */
  readonly projects: readonly string[];
  /** The server to ask, where it is named on the command line. */
  readonly server: string | undefined;
  readonly json: boolean;
  readonly quiet: boolean;
  readonly colour: boolean;
  readonly help: boolean;
  /** Whether the user has already agreed to what the operation destroys. */
  readonly yes: boolean;
  /** Settings given with `--set key=value`. */
  readonly settings: Readonly<Record<string, string>>;
}

/** What the words of a command line mean. */
export interface ParsedCommand {
  /** As it was written; the operation checks it. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly common: CommonFlags;
}

/** Parses the words of a command. An unknown word is an error that points to the help. */
export function parseWords(shape: CommandShape, words: readonly string[]): ParsedCommand {
  const { values, positionals } = parse(shape, words);
  const input: Record<string, unknown> = {};
  for (const flag of shape.flags) {
    const given = values[flag.name.slice(2)];
    if (given !== undefined) input[flag.field] = flag.kind === 'value' ? read(flag, String(given)) : given;
  }
  const fields = shape.positionals;
  if (fields.length === 0 && positionals.length > 0)
    throw usage(shape.name, `${lineOf(shape)} takes no word "${positionals[0]}"`);
  fields.forEach(({ field, isList }, index) => {
    const given =
      index === fields.length - 1 ? positionals.slice(index) : positionals.slice(index, index + 1);
    const further = shape.furtherTexts;
    // One in quotation marks may be a part of the question; where there are two, each text is one.
    const areTexts = !isList && given.filter((word) => /\S\s+\S/.test(word)).length > 1;
    if (further !== undefined && areTexts) {
      input[field] = given[0];
      input[further] = [...given.slice(1), ...((input[further] as string[] | undefined) ?? [])];
    } else if (given.length > 0) input[field] = isList ? given : given.join(' ');
  });
  // A command may have flags of its own that are called so: `serve --projects` names a file.
  const several = asksByFlag(shape) ? values : {};
  const common: CommonFlags = {
    project: values.project as string | undefined,
    all: several.all === true,
    projects: ((several.projects as string[] | undefined) ?? [])
      .flatMap((names) => names.split(','))
      .map((name) => name.trim())
      .filter((name) => name !== ''),
    server: values.server as string | undefined,
    json: values.json === true,
    quiet: values.quiet === true,
    colour: values.color !== false,
    help: values.help === true,
    yes: values.yes === true,
    settings: parseSettings(shape, (values.set as string[] | undefined) ?? []),
  };
  return { input: { ...(common.json && shape.asData), ...input }, common };
}

/** The error for words that a command does not take. */
export function usage(name: string, message: string): QuarryError {
  return new QuarryError('usage-invalid', `${message}.`, `Run: quarry ${lineOf({ name })} --help`);
}

function parse(shape: CommandShape, words: readonly string[]) {
  const options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] = {
    project: { type: 'string' },
    server: { type: 'string' },
    set: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    quiet: { type: 'boolean' },
    color: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  if (asksByFlag(shape)) {
    options.all = { type: 'boolean' };
    options.projects = { type: 'string', multiple: true };
  }
  if (needsConfirmation(shape)) options.yes = { type: 'boolean', short: 'y' };
  for (const { name, kind, short } of shape.flags) {
    options[name.slice(2)] = {
      type: kind === 'switch' ? 'boolean' : 'string',
      multiple: kind === 'list',
      ...(short && { short }),
    };
  }
  try {
    return parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
      allowNegative: true,
      strict: true,
    });
  } catch (cause) {
    throw wrongWord(shape, Object.keys(options), cause);
  }
}

/** A text that cannot be read stays as it was written, so that an error can show it. */
function read({ reads }: FlagShape, text: string): unknown {
  if (reads === 'number') return text.trim() === '' || !Number.isFinite(Number(text)) ? text : Number(text);
  if (reads !== 'json') return text;
  try {
    return JSON.parse(text);
  } catch {
    // The check of the value shows it.
    return text;
  }
}

/** The error for words that are no flags of the command, with what they may mean. */
function wrongWord({ name }: CommandShape, options: readonly string[], cause: unknown): QuarryError {
  const message = messageOf(cause);
  const [, written = ''] = /^Unknown option '--?(?:no-)?([^']*)'/.exec(message) ?? [];
  const command = `${name} ${written}`;
  const flag = nearestWord(written, options);
  const line = lineOf({ name });
  const meant = performed.some((entry) => entry.name === command) ? command : flag && `${line} --${flag}`;
  return new QuarryError(
    'usage-invalid',
    `${message.split('. ')[0] ?? 'unknown flag'}.`,
    meant ? `Did you mean: quarry ${meant}` : `Run: quarry ${line} --help`,
    { cause },
  );
}

function parseSettings({ name }: CommandShape, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(name, `--set ${pair} has no "="`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}
