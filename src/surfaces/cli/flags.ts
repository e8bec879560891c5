import { parseArgs } from 'node:util';
import { z } from 'zod';
import { messageOf, QuarryError } from '../../core/errors.ts';
import { parseSettingText, withoutWrappers } from '../../core/setting-text.ts';
import { catalogue } from '../../operations/catalogue.ts';
import type { Operation } from '../../operations/operation.ts';
import { needsConfirmation } from '../../operations/permission.ts';
import { nearestWord } from './did-you-mean.ts';

/** A flag of one command, rendered from a field of the operation's input. */
export interface Flag {
  readonly field: string;
  /** `--top-k`. */
  readonly name: string;
  /** The letter of a short form: `k` for `-k`. */
  readonly short?: string;
  readonly kind: 'switch' | 'value' | 'list';
  readonly schema: z.ZodType;
  readonly description: string;
}

/** Flags that every command has. */
export interface CommonFlags {
  readonly project: string | undefined;
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
  readonly input: Record<string, unknown>;
  readonly common: CommonFlags;
}

/** Help for the flags that every command has. */
export const commonFlagHelp: readonly (readonly [flag: string, description: string])[] = [
  [
    '--project DIR',
    'Folder of the project (default: the nearest folder with settings or an index, else this one).',
  ],
  [
    '--server URL',
    'Ask this server (default: QUARRY_SERVER); --project then names a project there (default: the name of the folder).',
  ],
  ['--set KEY=VALUE', 'Override a setting for this run; may be repeated.'],
  ['--json', 'Print the result as JSON; index and watch print their events before it, one per line.'],
  ['--quiet', 'No progress, no notes.'],
  ['--no-color', 'No colours, as with NO_COLOR.'],
  ['--help', 'Show this help.'],
];

/** Help for the flags that come with an operation's effect. */
export function effectFlagHelp(operation: Operation): (readonly [flag: string, description: string])[] {
  return needsConfirmation(operation)
    ? [['--yes', 'Do not ask for confirmation; required where there is no terminal.']]
    : [];
}

/** The flags of an operation, in the order of its input. */
export function flagsOf(operation: Operation): Flag[] {
  return Object.entries(operation.input.shape)
    .filter(([field]) => !operation.positionals?.includes(field))
    .map(([field, schema]) => {
      const inner = withoutWrappers(schema as z.ZodType);
      const kind = inner instanceof z.ZodBoolean ? 'switch' : inner instanceof z.ZodArray ? 'list' : 'value';
      const description = (schema as z.ZodType).description ?? '';
      return {
        field,
        name: `--${field.replaceAll('_', '-')}`,
        ...(operation.shortFlags?.[field] && { short: operation.shortFlags[field] }),
        kind,
        schema: schema as z.ZodType,
        description,
      };
    });
}

/** Parses the words of a command. An unknown word is an error that points to the help. */
export function parseWords(operation: Operation, words: readonly string[]): ParsedCommand {
  const flags = flagsOf(operation);
  const { values, positionals } = parse(operation, flags, words);
  const input: Record<string, unknown> = {};
  for (const flag of flags) {
    const given = values[flag.name.slice(2)];
    if (given === undefined) continue;
    input[flag.field] = flag.kind === 'value' ? parseSettingText(flag.schema, String(given)) : given;
  }
  const fields = operation.positionals ?? [];
  if (fields.length === 0 && positionals.length > 0)
    throw usage(operation, `${operation.name} takes no word "${positionals[0]}"`);
  fields.forEach((field, index) => {
    const given =
      index === fields.length - 1 ? positionals.slice(index) : positionals.slice(index, index + 1);
    if (given.length > 0) input[field] = isList(operation, field) ? given : given.join(' ');
  });

  const common: CommonFlags = {
    project: values.project as string | undefined,
    server: values.server as string | undefined,
    json: values.json === true,
    quiet: values.quiet === true,
    colour: values.color !== false,
    help: values.help === true,
    yes: values.yes === true,
    settings: parseSettings(operation, (values.set as string[] | undefined) ?? []),
  };
  return { input: common.help ? {} : checkInput(operation, flags, input), common };
}

/** Whether a positional field takes several words as a list. */
export function isList({ input }: Operation, field: string): boolean {
  return withoutWrappers(input.shape[field] as z.ZodType) instanceof z.ZodArray;
}

function parse(operation: Operation, flags: readonly Flag[], words: readonly string[]) {
  const options: NonNullable<Parameters<typeof parseArgs>[0]>['options'] = {
    project: { type: 'string' },
    server: { type: 'string' },
    set: { type: 'string', multiple: true },
    json: { type: 'boolean' },
    quiet: { type: 'boolean' },
    color: { type: 'boolean' },
    help: { type: 'boolean', short: 'h' },
  };
  if (needsConfirmation(operation)) options.yes = { type: 'boolean', short: 'y' };
  for (const { name, kind, short } of flags) {
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
    throw wrongWord(operation, Object.keys(options), cause);
  }
}

/** The error for words that are no flags of the command, with what they may mean. */
function wrongWord(operation: Operation, options: readonly string[], cause: unknown): QuarryError {
  const message = messageOf(cause);
  const [, written = ''] = /^Unknown option '--?(?:no-)?([^']*)'/.exec(message) ?? [];
  const command = `${operation.name} ${written}`;
  const flag = nearestWord(written, options);
  const meant = catalogue.some(({ name }) => name === command)
    ? command
    : flag && `${operation.name} --${flag}`;
  return new QuarryError(
    'usage-invalid',
    `${message.split('. ')[0] ?? 'unknown flag'}.`,
    meant ? `Did you mean: quarry ${meant}` : `Run: quarry ${operation.name} --help`,
    { cause },
  );
}

function parseSettings(operation: Operation, pairs: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      if (at < 1) throw usage(operation, `--set ${pair} has no "="`);
      return [pair.slice(0, at), pair.slice(at + 1)];
    }),
  );
}

function checkInput(
  operation: Operation,
  flags: readonly Flag[],
  input: Record<string, unknown>,
): Record<string, unknown> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? '');
  const shown = flags.find((flag) => flag.field === field)?.name ?? field;
  const value =
    input[field] === undefined ? 'is missing' : `${JSON.stringify(input[field])}: ${issue?.message}`;
  throw usage(operation, `${shown} ${value}`);
}

function usage(operation: Operation, message: string, cause?: unknown): QuarryError {
  return new QuarryError('usage-invalid', `${message}.`, `Run: quarry ${operation.name} --help`, { cause });
}
