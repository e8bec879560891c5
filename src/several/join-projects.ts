import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';
import { isCitable } from '../core/project-names.ts';
import { beginningOf } from '../core/text/shortened.ts';
import { processEnvironment } from '../platform/environment.ts';
import { type SeveralProjects, severalProjects } from './several-projects.ts';

export type { SeveralProjects } from './several-projects.ts';

/** Open projects, by names of the caller's choice, as one that is searched, read and asked. They stay open when it is let go. */
export function joinProjects(projects: Readonly<Record<string, Project>>): SeveralProjects {
  const members = Object.entries(projects).map(([name, project]) => {
    if (!isCitable(name))
      throw new QuarryError(
        'usage-invalid',
        `"${beginningOf(name, 80)}" cannot stand before a path.`,
        'Write 2 to 64 letters, digits, ".", "_" or "-".',
      );
    const { folder } = project;
    return { name, folder, use: <Result>(work: (open: Project) => Promise<Result>) => work(project) };
  });
  return severalProjects(members, { environment: processEnvironment });
}
