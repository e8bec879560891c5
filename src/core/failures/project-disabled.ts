import { QuarryError } from '../errors.ts';

/** That a project is disabled, and how to enable it. */
export function projectDisabled(folder: string): QuarryError {
  return new QuarryError(
    'project-disabled',
    `The project ${folder} is disabled.`,
    'Set enabled = true in quarry.toml.',
  );
}

/** Whether an answer holds nothing because its project is disabled, which is not because nothing was found. */
export function isDisabled(warnings: readonly { readonly code: string }[]): boolean {
  return warnings.some(({ code }) => code === 'project-disabled');
}
