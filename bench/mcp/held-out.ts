import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the questions about held-out npm packages in the form that collections are read in; returns the folder. */
export async function heldOutQuestions(questions: string, target: string): Promise<string> {
  const table = (await readFile(join(questions, 'sources.tsv'), 'utf8')).trim().split('\n');
  const rows: string[] = [];
  for (const line of table) {
    const [id = '', name, version, , registry, , , , split] = line.split('\t');
    if (registry !== 'npm' || split !== 'held-out') continue;
    const asked = (await readFile(join(questions, `${id}.jsonl`), 'utf8')).trim().split('\n');
    for (const [at, row] of asked.entries()) {
      const { question, kind, answers } = JSON.parse(row) as {
        question: string;
        kind: string;
        answers: { path: string }[];
      };
      const relevant = [...new Set(answers.map(({ path }) => path))].map((path) => ({ path }));
      const entry = {
        _id: `${id}-${at}`,
        package: `${name}@${version}`,
        category: kind,
        text: question,
        relevant,
      };
      rows.push(JSON.stringify(entry));
    }
  }
  await mkdir(target, { recursive: true });
  await writeFile(join(target, 'queries.jsonl'), `${rows.join('\n')}\n`);
  return target;
}
