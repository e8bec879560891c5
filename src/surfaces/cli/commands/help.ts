import { z } from 'zod';
import { withoutWrappers } from '../../../core/settings/setting-text.ts';
import { loadOperation, type OperationEntry } from '../../../operations/catalogue.ts';
import type { Operation } from '../../../operations/operation.ts';
import { commands, flagCommands, lineOf } from './commands.ts';
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

/** A command with its summary; the commands of a group together: `consent list|give|withdraw`, `mcp [install]`. */
function rowOf({ word, about }: HelpLine): readonly [string, string] {
  const named = [...commands, ...ownCommands].filter(({ name }) => name.split(' ')[0] === word);
  const further = named.flatMap(({ name }) => name.split(' ').slice(1)).join('|');
  const isCommand = named.some(({ name }) => name === word);
  const shown = further === '' ? word : `${word} ${isCommand ? `[${further}]` : further}`;
  return [shown, about ?? named[0]?.summary ?? ''];
}

/** Help for what a group of commands is about, and for each of them in a line. */
export async function groupHelp(group: string): Promise<string> {
  const about = helpSections.flatMap(({ lines }) => lines).find(({ word }) => word === group)?.about ?? '';
  const members = commands.filter(({ name }) => name.startsWith(`${group} `));
  const shown = await Promise.all(members.map(loadOperation));
  return [
    about,
    '',
    'Usage:',
    ...table(
      shown.map((operation) => [`quarry ${operation.name}${positionalWords(operation)}`, operation.summary]),
    ),
    '',
    'Examples:',
    ...table(shown.flatMap(exampleRows)),
    '',
    `\`quarry ${group}\` alone is \`quarry ${members[0]?.name}\`. Run \`quarry ${group} WORD --help\` for its flags.`,
  ].join('\n');
}

/** Help for one command, with the flags that ask for another operation. */
export async function commandHelp(entry: OperationEntry): Promise<string> {
  const operation = await loadOperation(entry);
  const others = await Promise.all(
    flagCommands(entry.name).map(async ({ flag, entry: other }) => {
      return { flag, operation: await loadOperation(other) };
    }),
  );
  const own = ownFlags(operation);
  const flags = [...own, ...others.map(({ flag, operation: { summary } }) => [flag, summary] as const)];
  const about = (operation.positionals ?? []).map(
    (field) =>
      [
        wordOf(operation, field),
        (operation.input.shape[field] as z.ZodType | undefined)?.description ?? '',
      ] as const,
  );
  return [
    operation.summary,
    '',
    `Usage: quarry ${lineOf(operation)}${positionalWords(operation)} [flags]`,
    '',
    ...(about.length + flags.length > 0 ? ['Flags:', ...table([...about, ...flags]), ''] : []),
    ...others.flatMap(({ flag, operation: other }) => {
      const further = ownFlags(other);
      return further.length > 0 ? [`Flags with ${flag}:`, ...table(further), ''] : [];
    }),
    'Flags of every command:',
    ...table(commonFlagHelp),
    '',
    'Examples:',
    ...table([operation, ...others.map((other) => other.operation)].flatMap(exampleRows)),
    ...relatedTo(operation),
  ].join('\n');
}

function ownFlags(operation: Operation): (readonly [string, string])[] {
  const flags = flagsOf(operation).map((flag) => [usageOf(flag), flag.description] as const);
  return [...flags, ...effectFlagHelp(operation)];
}

/** What follows the name of a command: ` <query>`. */
export function positionalWords(operation: Operation): string {
  return (operation.positionals ?? []).map((field) => ` ${wordOf(operation, field)}`).join('');
}

/** The other commands of its group. */
function relatedTo({ name }: Operation): string[] {
  const [group] = name.split(' ');
  const others = commands.filter((other) => other.name !== name && other.name.split(' ')[0] === group);
  const rows = others.map((other) => [`quarry ${other.name}`, other.summary] as const);
  return rows.length === 0 ? [] : ['', 'Related commands:', ...table(rows)];
}

/** A word of the command as help shows it: `<query>`, or `[file]` where it may be left out. */
function wordOf(operation: Operation, field: string): string {
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
