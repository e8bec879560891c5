import type { z } from 'zod';
import type { projectsListOperation } from '../../../operations/setup/projects.ts';
import type { Output } from '../terminal/output.ts';

/** Shows the projects that have a name, one a line. */
export function renderProjects(
  { projects }: z.output<typeof projectsListOperation.output>,
  output: Output,
): void {
  if (projects.length === 0)
    output.note('No project has a name yet. Give some: quarry projects add FOLDER …');
  for (const { name, folder, missing } of projects)
    output.result(
      `${output.style('bold', name)}  ${folder}${missing ? output.style('yellow', '  not there') : ''}`,
    );
}
