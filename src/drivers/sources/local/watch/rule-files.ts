import { join, resolve } from 'node:path';
import type { LocalSourceOptions } from '../local-source-options.ts';
import type { SurveyedRoot } from '../walk/survey.ts';
import { foldersAbove, outermostFolder } from '../walk/walk.ts';

/** Files outside the walked folders whose change may change what is indexed, the branch in use among them. */
export function ruleFilesOf({ root, git }: SurveyedRoot): string[] {
  const around = foldersAbove(outermostFolder(root, git), root.folder).flatMap((folder) =>
    ['.gitignore', '.quarryignore'].map((name) => join(folder, name)),
  );
  return [...git.files, ...around, ...(git.gitFolder === undefined ? [] : [join(git.gitFolder, 'HEAD')])];
}

/** The roots as configured: one may disappear, come back, or be a link with a new target. */
export function rootPaths({ root, roots = ['.'] }: LocalSourceOptions): string[] {
  return roots.map((path) => resolve(root, path));
}
