import { accessSync, constants } from 'node:fs';
import { chmod, mkdir, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join, resolve } from 'node:path';
import { QuarryError } from '../../src/core/errors.ts';
import { repository } from './code-bases.ts';

/** Programs that every arm has. */
export const plainPrograms = ['rg', 'sed', 'cat', 'ls', 'find', 'awk', 'head'] as const;

/** A set of programs that agents answer with. */
export interface Arm {
  readonly name: string;
  /** The entry of the command line of a build of Quarry; without one it is the arm of plain tools. */
  readonly program?: string;
}

export const plainArm: Arm = { name: 'plain' };

/** Reads `NAME=PROGRAM`; several builds can be compared in one round. */
export function parseArm(text: string): Arm {
  const [, name, program] = /^([a-z0-9-]+)=(.+)$/.exec(text) ?? [];
  if (name === undefined || program === undefined || name === plainArm.name)
    throw new QuarryError(
      'usage-invalid',
      `"${text}" is no arm.`,
      'Write a name and the program of a build: --arm quarry=dist/surfaces/cli/main.js',
    );
  return { name, program: resolve(program) };
}

export const defaultArm: Arm = {
  name: 'quarry',
  program: join(repository, 'dist', 'surfaces', 'cli', 'main.js'),
};

/** Makes the folder that is the PATH of an arm. */
export async function makePrograms({ program }: Arm, bin: string): Promise<void> {
  await mkdir(bin, { recursive: true });
  for (const name of plainPrograms) await symlink(locate(name), join(bin, name)).catch(unlessThere);
  if (program === undefined) return;
  const file = join(bin, 'quarry');
  await writeFile(file, `#!/bin/sh\nexec ${quoted(process.execPath)} ${quoted(program)} "$@"\n`);
  await chmod(file, 0o755);
}

/** A word of a shell that means this text. */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The programs that every arm needs and this machine lacks. */
export function missingPrograms(): readonly string[] {
  return plainPrograms.filter((name) => find(name) === undefined);
}

function locate(name: string): string {
  const found = find(name);
  if (found !== undefined) return found;
  throw new QuarryError('requirement-missing', `There is no program ${name}.`, `Install ${name}.`);
}

function find(name: string): string | undefined {
  for (const folder of (process.env.PATH ?? '').split(delimiter)) {
    try {
      accessSync(join(folder, name), constants.X_OK);
      return join(folder, name);
    } catch {
      // Not in this one.
    }
  }
  return undefined;
}

function unlessThere(thrown: NodeJS.ErrnoException): void {
  if (thrown.code !== 'EEXIST') throw thrown;
}
