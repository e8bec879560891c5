import type { Project } from '../../calls/project.ts';
import { errorToData } from '../../core/errors.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { projectDisabled } from '../../core/failures/project-disabled.ts';

/** What operations say of a project that is disabled: it holds nothing, and is not empty either. */
export const disabledField = {
  disabled: problemSchema
    .optional()
    .describe('That the project is disabled, and how to enable it; absent where it is not.'),
};

/** The field, where it is. */
export function disabledIn({ settings, folder }: Pick<Project, 'settings' | 'folder'>) {
  return settings.enabled ? {} : { disabled: errorToData(projectDisabled(folder)) };
}
