// Writes the tree, and its questions beside it: node examples/working-memory/tree/write-tree.ts FOLDER [SEED]
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { memoryTree } from './memory-tree.ts';

/** The settings of a folder that holds an assistant's memory. */
const settings = 'preset = "memory"\n';

/** Writes all files with their times and a quarry.toml, and the questions where they cannot be found as answers. */
export async function writeMemoryTree(folder: string, questionFile: string, seed = 1): Promise<number> {
  const { files, questions } = memoryTree({ seed });
  for (const { path, text, modifiedAt } of files) {
    const target = join(folder, path);
    await mkdir(dirname(target), { recursive: true });
    await writeFile(target, text);
    await utimes(target, modifiedAt / 1000, modifiedAt / 1000);
  }
  await writeFile(join(folder, 'quarry.toml'), settings);
  await writeFile(questionFile, questions.map((question) => `${JSON.stringify(question)}\n`).join(''));
  return files.length;
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [folder = 'memory-tree', seed] = process.argv.slice(2);
  const questionFile = `${resolve(folder)}-questions.jsonl`;
  const count = await writeMemoryTree(folder, questionFile, seed === undefined ? 1 : Number(seed));
  process.stdout.write(`${count} files in ${folder}, questions in ${questionFile}\n`);
}
