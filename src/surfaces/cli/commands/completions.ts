import { z } from 'zod';
import { withoutWrappers } from '../../../core/settings/setting-text.ts';
import { loadOperation, type OperationEntry } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import { commands, flagCommands } from './commands.ts';
import { commonFlagHelp, effectFlagHelp, type Flag, flagsOf } from './flags.ts';

/** Shells that completions are written for. */
export const shells = ['bash', 'zsh', 'fish'] as const;

interface CompletedFlag extends Pick<Flag, 'name' | 'description' | 'short'> {
  /** Words that it takes, where they are known. */
  readonly values: readonly string[];
  readonly takesValue: boolean;
}

interface CompletedCommand {
  readonly name: string;
  readonly summary: string;
  readonly flags: readonly CompletedFlag[];
  /** Words that follow its name. */
  readonly words: readonly string[];
}

/** A script that completes commands, flags and their values; rendered from the operations and the commands given. */
export async function completionScript(
  shell: (typeof shells)[number],
  further: readonly Omit<CompletedCommand, 'flags'>[],
): Promise<string> {
  const offered = [
    ...(await Promise.all(commands.map(withFlagCommands))),
    ...further.map((command) => ({ ...command, flags: [] })),
  ];
  return shell === 'fish' ? fishScript(offered) : shellScript(shell, offered);
}

/** A command with its own flags, those that ask for another operation, and the flags of that. */
async function withFlagCommands(entry: OperationEntry): Promise<CompletedCommand> {
  const command = completed(await loadOperation(entry));
  const flags = new Map(command.flags.map((flag) => [flag.name, flag]));
  for (const { flag, entry: other } of flagCommands(entry.name)) {
    flags.set(flag, { name: flag, description: other.summary, values: [], takesValue: false });
    for (const own of completed(await loadOperation(other)).flags)
      if (!flags.has(own.name)) flags.set(own.name, own);
  }
  return { ...command, flags: [...flags.values()] };
}

function completed(operation: Operation): CompletedCommand {
  const own = flagsOf(operation).map(
    ({ name, description, short, kind, schema }): CompletedFlag => ({
      name,
      description,
      ...(short && { short }),
      values: valuesOf(schema),
      takesValue: kind !== 'switch',
    }),
  );
  const further = [...effectFlagHelp(operation), ...commonFlagHelp].map(
    ([flag, description]): CompletedFlag => {
      const [name = '', value] = flag.split(' ');
      return { name, description, values: [], takesValue: value !== undefined };
    },
  );
  return { name: operation.name, summary: operation.summary, flags: [...own, ...further], words: [] };
}

function valuesOf(schema: z.ZodType): string[] {
  const inner = withoutWrappers(schema);
  const each = inner instanceof z.ZodArray ? withoutWrappers(inner.element as z.ZodType) : inner;
  return each instanceof z.ZodEnum ? each.options.map(String) : [];
}

/** The first words of all commands, and the second words of those of a group. */
function wordsOf(commands: readonly CompletedCommand[]) {
  const first = [...new Set(commands.map(({ name }) => name.split(' ')[0] ?? ''))];
  const second = (group: string) =>
    commands.flatMap(({ name }) => (name.startsWith(`${group} `) ? [name.slice(group.length + 1)] : []));
  return { first, second };
}

/** For bash and zsh, which differ only in where the words are and how they are offered. */
function shellScript(shell: 'bash' | 'zsh', commands: readonly CompletedCommand[]): string {
  const { first, second } = wordsOf(commands);
  // The longer names come first: `mcp install` is not `mcp`.
  const ordered = commands.toSorted((one, other) => other.name.length - one.name.length);
  const values = new Map(
    commands.flatMap(({ flags }) =>
      flags.flatMap((flag) => (flag.values.length > 0 ? [[flag.name, flag.values]] : [])),
    ),
  );
  const body = [
    `  case "$before" in`,
    ...[...values].map(([name, words]) => `    ${name}) offered='${words.join(' ')}' ;;`),
    '  esac',
    `  if [[ -z $offered && $current == -* ]]; then`,
    '    case "$one $two" in',
    ...ordered.map(({ name, flags }) => {
      const words = flags.flatMap((flag) => [flag.name, ...(flag.short ? [`-${flag.short}`] : [])]);
      return `      '${name}'${name.includes(' ') ? '' : "' '*"}) offered='${words.join(' ')}' ;;`;
    }),
    '    esac',
    '  elif [[ -z $offered && $place == 1 ]]; then',
    `    offered='${first.join(' ')}'`,
    '  elif [[ -z $offered && $place == 2 ]]; then',
    '    case "$one" in',
    ...first.flatMap((group) => {
      const words = [...second(group), ...(commands.find(({ name }) => name === group)?.words ?? [])];
      return words.length > 0 ? [`      ${group}) offered='${words.join(' ')}' ;;`] : [];
    }),
    '    esac',
    '  fi',
  ];
  return shell === 'bash'
    ? [
        '_quarry() {',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
        '  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} place=$COMP_CWORD offered=',
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell fills it in.
        '  local one=${COMP_WORDS[1]} two=${COMP_WORDS[2]}',
        ...body,
        '  COMPREPLY=($(compgen -W "$offered" -- "$current"))',
        '}',
        'complete -o default -F _quarry quarry',
      ].join('\n')
    : [
        '#compdef quarry',
        '_quarry() {',
        '  local current=$words[CURRENT] before=$words[CURRENT-1] place=$((CURRENT-1)) offered=',
        '  local one=$words[2] two=$words[3]',
        ...body,
        '  if [[ -n $offered ]]; then compadd -- $(print -r -- $offered | tr " " "\\n"); else _files; fi',
        '}',
        'compdef _quarry quarry',
      ].join('\n');
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const { first, second } = wordsOf(commands);
  const summaryOf = (name: string) => commands.find((command) => command.name === name)?.summary ?? '';
  const line = (condition: string, ...rest: string[]) =>
    ['complete -c quarry', `-n ${quoted(condition)}`, ...rest].join(' ');
  const lines = first.map((word) =>
    line(
      '__fish_use_subcommand',
      '-f',
      '-a',
      quoted(word),
      '-d',
      quoted(summaryOf(word) || `${second(word).join(', ')}`),
    ),
  );
  for (const group of first) {
    const words = [...second(group), ...(commands.find(({ name }) => name === group)?.words ?? [])];
    for (const word of words)
      lines.push(
        line(
          `__fish_seen_subcommand_from ${group}; and not __fish_seen_subcommand_from ${words.join(' ')}`,
          '-f',
          '-a',
          quoted(word),
          '-d',
          quoted(summaryOf(`${group} ${word}`)),
        ),
      );
  }
  for (const { name, flags } of commands) {
    const condition = name
      .split(' ')
      .map((word) => `__fish_seen_subcommand_from ${word}`)
      .join('; and ');
    for (const { name: flag, short, description, values, takesValue } of flags) {
      const value = values.length > 0 ? ['-x', '-a', quoted(values.join(' '))] : takesValue ? ['-r'] : [];
      lines.push(
        line(
          condition,
          '-l',
          flag.slice(2),
          ...(short ? ['-s', short] : []),
          ...value,
          '-d',
          quoted(description),
        ),
      );
    }
  }
  return lines.join('\n');
}

/** A text in single quotes, as fish reads it. */
function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
