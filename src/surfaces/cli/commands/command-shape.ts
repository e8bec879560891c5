import { existsSync, readFileSync } from 'node:fs';
import type { Operation } from '../../../operations/operation.ts';
import { builtFile } from '../../../platform/package-folder.ts';

/** A flag of one command, as far as its words are concerned. */
export interface FlagShape {
  readonly field: string;
  /** `--top-k`. */
  readonly name: string;
  /** The letter of a short form: `k` for `-k`. */
  readonly short?: string;
  readonly kind: 'switch' | 'value' | 'list';
  /** How the text of a value is read. */
  readonly reads: 'text' | 'number' | 'json';
}

/**
 * What the command line needs to know of a command to send it to an engine. It has no schemas, since loading those takes
 * longer than the rest of a short command; the operation checks the input.
 */
export interface CommandShape
  extends Pick<
    Operation,
    | 'name'
    | 'summary'
    | 'effect'
    | 'repeatable'
    | 'reach'
    | 'streams'
    | 'standsAlone'
    | 'needsNoSettings'
    | 'pathFields'
    | 'furtherTexts'
    | 'asData'
    | 'takesSeveral'
  > {
  readonly flags: readonly FlagShape[];
  /** The fields that are taken without a flag, in order; the last one takes all further words. */
  readonly positionals: readonly { readonly field: string; readonly isList: boolean }[];
}

/** Whether flags say which projects a command asks; where its places begin with their names, none are needed. */
export function asksByFlag({ takesSeveral }: Pick<Operation, 'takesSeveral'>): boolean {
  return takesSeveral !== undefined && takesSeveral.placesIn === undefined;
}

/** The file of a build that holds the shapes of all commands. */
export const shapesFile = 'command-shapes.json';

/** The shape of a command from the build; undefined where the program runs from its source. */
export function builtShape(name: string): CommandShape | undefined {
  const file = builtFile(shapesFile);
  if (file === undefined || !existsSync(file)) return undefined;
  const shapes = JSON.parse(readFileSync(file, 'utf8')) as readonly CommandShape[];
  return shapes.find((shape) => shape.name === name);
}
