import { z } from 'zod';
import { withoutWrappers } from '../../../core/settings/setting-text.ts';
import type { Operation } from '../../../operations/operation.ts';
import { needsConfirmation } from '../../../operations/permission.ts';
import { asksByFlag, type CommandShape, type FlagShape } from './command-shape.ts';
import { usage } from './parse-words.ts';

/** A flag of one command, rendered from a field of the operation's input. */
export interface Flag extends FlagShape {
  readonly schema: z.ZodType;
  readonly description: string;
}

/** Help for the flags that every command has. */
export const commonFlagHelp: readonly (readonly [flag: string, description: string])[] = [
  [
    '--project DIR',
    'Folder of the project (default: the nearest folder with settings or an index, else this one).',
  ],
  [
    '--server URL',
    'Ask this server (default: QUARRY_SERVER); --project then names a project there (default: that of its pushes, else of the folder).',
  ],
  ['--set KEY=VALUE', 'Override a setting for this run; may be repeated.'],
  ['--json', 'Print the result as JSON; index and watch print their events before it, one per line.'],
  ['--quiet', 'No progress, no notes.'],
  ['--no-color', 'No colours, as with NO_COLOR.'],
  ['--help', 'Show this help.'],
];

const yesHelp = ['--yes', 'Do not ask for confirmation; required where there is no terminal.'] as const;
const severalHelp = [
  ['--all', 'Ask every project that has a name (quarry projects); on a server all that its token may see.'],
  [
    '--projects NAMES',
    'Ask these projects: names with commas between them, or folders (./api); may be repeated.',
  ],
] as const;

/** Help for the flags that come with what an operation is. */
export function effectFlagHelp(operation: Operation): (readonly [flag: string, description: string])[] {
  return [...(needsConfirmation(operation) ? [yesHelp] : []), ...(asksByFlag(operation) ? severalHelp : [])];
}

/** The flags of an operation, in the order of its input. */
export function flagsOf(operation: Operation): Flag[] {
  return Object.entries(operation.input.shape)
    .filter(([field]) => !operation.positionals?.includes(field))
    .map(([field, schema]) => ({
      field,
      name: `--${field.replaceAll('_', '-')}`,
      ...(operation.shortFlags?.[field] && { short: operation.shortFlags[field] }),
      ...readingOf(withoutWrappers(schema as z.ZodType)),
      schema: schema as z.ZodType,
      description: (schema as z.ZodType).description ?? '',
    }));
}

/** The shape of a command, from its operation. */
export function shapeOf(operation: Operation): CommandShape {
  const { name, summary, effect, repeatable, reach, streams, standsAlone, pathFields, furtherTexts, asData } =
    operation;
  const { takesSeveral, needsNoSettings } = operation;
  return {
    name,
    summary,
    effect,
    ...(repeatable && { repeatable }),
    reach,
    ...(streams && { streams }),
    ...(standsAlone && { standsAlone }),
    ...(needsNoSettings && { needsNoSettings }),
    ...(pathFields && { pathFields }),
    ...(furtherTexts && { furtherTexts }),
    ...(asData && { asData }),
    ...(takesSeveral && { takesSeveral }),
    flags: flagsOf(operation).map(({ schema: _, description: __, ...flag }) => flag),
    positionals: (operation.positionals ?? []).map((field) => ({ field, isList: isList(operation, field) })),
  };
}

/** Whether a positional field takes several words as a list. */
export function isList({ input }: Operation, field: string): boolean {
  return withoutWrappers(input.shape[field] as z.ZodType) instanceof z.ZodArray;
}

/** The input that an operation takes, with its defaults; a wrong value is an error that names its flag. */
export function checkInput(
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const parsed = operation.input.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = String(issue?.path[0] ?? '');
  const shown = flagsOf(operation).find((flag) => flag.field === field)?.name ?? field;
  const value =
    input[field] === undefined ? 'is missing' : `${JSON.stringify(input[field])}: ${issue?.message}`;
  throw usage(operation.name, `${shown} ${value}`);
}

function readingOf(schema: z.ZodType): Pick<Flag, 'kind' | 'reads'> {
  if (schema instanceof z.ZodBoolean) return { kind: 'switch', reads: 'text' };
  if (schema instanceof z.ZodArray) return { kind: 'list', reads: 'text' };
  if (schema instanceof z.ZodNumber) return { kind: 'value', reads: 'number' };
  return { kind: 'value', reads: schema instanceof z.ZodRecord ? 'json' : 'text' };
}
