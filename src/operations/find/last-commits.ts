import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { Reading } from '../../core/reading.ts';
import { linesOf } from '../../core/text/citation.ts';

/** The last commits of a place, as data. */
export const lastCommitsFields = {
  commits: z
    .array(
      z.object({
        citation: z.string().describe('The commit, as `read` takes it.'),
        subject: z.string(),
        author: z.string(),
        date: z.string(),
        lines: z.array(z.int()).optional().describe('Lines of the place that it wrote.'),
      }),
    )
    .optional()
    .describe('With `commits`: those that wrote these lines, or changed the file last, newest first.'),
  uncommitted: z.int().optional().describe('With `commits`: lines that no commit holds yet.'),
};
const lastCommits = z.object(lastCommitsFields);

/** Asks git for the last commits of what was read: of its lines, or of the whole file. */
export async function lastCommitsOf(
  project: Project,
  { uri, place, asked }: Reading,
  signal: AbortSignal | undefined,
): Promise<z.output<typeof lastCommits>> {
  const lines = asked?.kind === 'document' ? undefined : linesOf(place);
  const found = await project.history.lastCommits(uri, { ...(lines && { lines }), signal });
  return {
    commits: found.commits.map(({ uri: citation, subject, author, committedAt, lines: own }) => ({
      citation,
      subject,
      author,
      date: new Date(committedAt).toISOString(),
      ...(own && { lines: [...own] }),
    })),
    ...(found.uncommitted.length > 0 && { uncommitted: found.uncommitted.length }),
  };
}
