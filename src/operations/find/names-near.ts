import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import type { Digest } from '../../core/digest.ts';

/** Characters of all names together. */
const maxCharacters = 9_000;
/** Those of one file: a file with more would leave nothing for the others. */
const maxOfFile = 2_500;

export const namesSchema = z
  .array(
    z.object({
      path: z.string(),
      names: z
        .array(z.string())
        .describe('Each with its lines; what a class has follows it, and begins with a dot.'),
      is_cut: z.boolean().describe('Whether the file defines more.'),
    }),
  )
  .describe('What the files of code define that were found, where a question has no strong answer.');

/** What is needed of an answer. */
interface Answered {
  readonly hits: readonly { readonly path: string; readonly type: string }[];
  readonly digest?: Pick<Digest, 'verdict'> | undefined;
}

/**
 * Where the words of a question are not those of the code, a list of its names is what helps: the names in the files that were found
 * for such questions, those first that most of them found.
 */
export async function namesFor(
  graph: Pick<Project['graph'], 'names'>,
  answers: readonly Answered[],
): Promise<z.output<typeof namesSchema>> {
  const votes = new Map<string, number>();
  for (const { hits, digest } of answers) {
    if (digest?.verdict !== 'weak' && digest?.verdict !== 'open') continue;
    for (const [at, { path, type }] of hits.entries())
      if (type === 'code') votes.set(path, (votes.get(path) ?? 0) + 1 / (at + 2));
  }
  const paths = [...votes].sort(([, one], [, other]) => other - one).map(([path]) => path);
  if (paths.length === 0) return [];
  // An answer does without them where the graph cannot be read; a question to the graph itself fails with the reason.
  const found = await graph.names(paths).catch(() => []);
  let room = maxCharacters;
  return found.flatMap(({ uri: path, names }) => {
    const shown: string[] = [];
    let left = Math.min(room, maxOfFile) - path.length;
    for (const { name, lines } of names) {
      const text = `${name} ${[...new Set(lines)].join('-')}`;
      left -= text.length + 2;
      if (left < 0) break;
      shown.push(text);
    }
    if (shown.length === 0) return [];
    room -= path.length + shown.reduce((sum, text) => sum + text.length + 2, 0);
    return [{ path, names: shown, is_cut: shown.length < names.length }];
  });
}
