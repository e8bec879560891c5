import { readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { EvaluationSet, SetOptions, SetPart } from '../../src/evaluation/evaluation-set.ts';
import { endsWithPath, readLabelledQuestions } from '../../src/evaluation/labels/labelled-questions.ts';
import { openProject } from '../../src/project/open-project.ts';

/** Whether a set is one of those that `readRepositories` reads. */
export function isRepositories(name: string): boolean {
  return name.startsWith('repositories:');
}

/**
 * Questions about whole repositories: `repositories:FOLDER:QUESTIONS`, each unpacked as FOLDER/NAME and asked
 * QUESTIONS/NAME/queries.jsonl, which are in the format of `quarry eval`. Each is a part of its own; `:NAME` at the end reads one.
 */
export async function readRepositories(
  name: string,
  { limit = Number.POSITIVE_INFINITY, signal }: Pick<SetOptions, 'limit' | 'signal'> = {},
): Promise<EvaluationSet> {
  const [, folder = '', asked = '', only] = name.split(':');
  const names = readdirSync(folder).filter((own) => only === undefined || own === only);
  const parts: SetPart[] = [];
  let unjudged = 0;
  let left = limit;
  for (const repository of names) {
    const home = resolve(folder, repository);
    const read = await readLabelledQuestions(join(asked, repository, 'queries.jsonl'), home, signal);
    const questions = read.questions
      .slice(0, left)
      .map((question) => ({ ...question, id: `${repository}/${question.id}` }));
    left -= questions.length;
    unjudged += read.unjudged;
    parts.push({
      questions,
      async open(settings) {
        const project = await openProject(home, { settings });
        return {
          project,
          isMeant: (path, uri) => endsWithPath(uri, path),
          nameOf: (uri) => uri,
          close: () => project.close(),
        };
      },
    });
  }
  return { name: only ?? 'repositories', parts, unjudged, warnings: [] };
}
