import { z } from 'zod';
import { withoutWrappers } from '../../../core/settings/setting-text.ts';
import { loadOperation } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import { commands } from './commands.ts';
import { exampleLine } from './example-line.ts';
import { commonFlagHelp, effectFlagHelp, type Flag, flagsOf, isList } from './flags.ts';
import { type HelpLine, helpSections } from './help-sections.ts';
import { ownCommands } from './own-commands.ts';

/** Help for the whole program. */
export async function programHelp(): Promise<string> {
  const sections = helpSections.map(({ title, lines }) => ({ title, rows: lines.map(rowOf) }));
  const width = widthOf(sections.flatMap(({ rows }) => rows));
  const shown = await Promise.all(commands.slice(0, 3).map(loadOperation));
  return [
    'quarry: local-first retrieval for code, docs, notes, e-mail and logs.',
    '',
    'Usage: quarry <command> [flags]',
    '',
    ...sections.flatMap(({ title, rows }) => [`${title}:`, ...table(rows, width), '']),
    'Flags of every command:',
    ...table([...commonFlagHelp, ['--version', 'Print the version.']]),
    '',
    'Examples:',
    ...table(shown.flatMap((operation) => exampleRows(operation).slice(0, 2))),
    '',
    'Run `quarry <command> --help` for the flags of a command and the others of its group.',
  ].join('\n');
}

/** A command with its summary; the commands of a group together: `consent list|give|withdraw`, `clean [all]`. */
function rowOf({ word, about }: HelpLine): readonly [string, string] {
  const named = [...commands, ...ownCommands].filter(({ name }) => name.split(' ')[0] === word);
  const further = named.flatMap(({ name }) => name.split(' ').slice(1)).join('|');
  const isCommand = named.some(({ name }) => name === word);
  const shown = further === '' ? word : `${word} ${isCommand ? `[${further}]` : further}`;
  return [shown, about ?? named[0]?.summary ?? ''];
}

/** Help for one command. */
export function commandHelp(operation: Operation): string {
  const flags = [
    ...flagsOf(operation).map((flag) => [usageOf(flag), flag.description] as const),
    ...effectFlagHelp(operation),
  ];
  const about = (operation.positionals ?? []).map(
    (field) =>
      [
        wordOf(operation, field),
        (operation.input.shape[field] as z.ZodType | undefined)?.description ?? '',
      ] as const,
  );
  const word = about.map(([name]) => ` ${name}`).join('');
  return [
    operation.summary,
    '',
    `Usage: quarry ${operation.name}${word} [flags]`,
    '',
    ...(about.length + flags.length > 0 ? ['Flags:', ...table([...about, ...flags]), ''] : []),
    'Flags of every command:',
    ...table(commonFlagHelp),
    '',
    'Examples:',
    ...table(exampleRows(operation)),
    ...relatedTo(operation),
  ].join('\n');
}

/** The other commands of its group. */
function relatedTo({ name }: Operation): string[] {
  const [group] = name.split(' ');
  const others = commands.filter((other) => other.name !== name && other.name.split(' ')[0] === group);
  const rows = others.map((other) => [`quarry ${other.name}`, other.summary] as const);
  return rows.length === 0 ? [] : ['', 'Related commands:', ...table(rows)];
}

/** A word of the command as help shows it: `<query>`, or `[file]` where it may be left out. */
export function wordOf(operation: Operation, field: string): string {
  const schema = operation.input.shape[field] as z.ZodType | undefined;
  const shown = isList(operation, field) ? `${field} …` : field;
  return schema?.safeParse(undefined).success ? `[${shown}]` : `<${shown}>`;
}

function exampleRows(operation: Operation): (readonly [string, string])[] {
  return operation.examples.map((example) => [exampleLine(operation, example), example.explains]);
}

/** A flag as it is typed: `-k, --top-k N`, `--type TEXT …`, `--[no-]update`. */
export function usageOf({ name: long, short, kind, schema }: Flag): string {
  const name = short ? `-${short}, ${long}` : long;
  const inner = withoutWrappers(schema);
  if (kind === 'switch') return schema instanceof z.ZodDefault ? name : name.replace('--', '--[no-]');
  if (kind === 'list') return `${name} TEXT …`;
  return `${name} ${inner instanceof z.ZodNumber ? 'N' : 'TEXT'}`;
}

function widthOf(rows: readonly (readonly [string, string])[]): number {
  return Math.max(...rows.map(([left]) => left.length));
}

function table(rows: readonly (readonly [string, string])[], width = widthOf(rows)): string[] {
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`.trimEnd());
}
