import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join, resolve, sep } from 'node:path';
import { isInside } from '../../../platform/contained-path.ts';
import type { Environment } from '../../../platform/environment.ts';

/**
 * The git that the user has installed; undefined where there is none. A program that came with a folder is not taken for it:
 * package runners put `node_modules/.bin` of the folder, and of those around it, before everything else.
 */
export function findGit(environment: Environment, project: string): string | undefined {
  const name = process.platform === 'win32' ? 'git.exe' : 'git';
  return (environment('PATH') ?? '')
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && !isOfProject(folder, project))
    .map((folder) => join(folder, name))
    .find(isProgram);
}

function isOfProject(folder: string, project: string): boolean {
  return isInside(project, resolve(folder)) || resolve(folder).split(sep).includes('node_modules');
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // Not there, or not to be run.
    return false;
  }
}
