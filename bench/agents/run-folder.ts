import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { codeNames } from './code-bases.ts';

const runSchema = z.strictObject({
  round: z.int().min(1),
  arm: z.string(),
  code: z.enum(codeNames),
  /** The folder with the code, where each command begins. */
  folder: z.string(),
  /** The one folder of the PATH. */
  bin: z.string(),
  home: z.string(),
});

/** One agent that answers the questions about one code base with the programs of one arm. */
export type Run = z.output<typeof runSchema>;

const commandSchema = z.object({
  at: z.string(),
  command: z.string(),
  ms: z.number(),
  /** Characters of the command. */
  in: z.int(),
  /** Characters that the agent was shown. */
  out: z.int(),
  /** Characters that there were, as far as they were read. */
  whole: z.int(),
  /** Null where it was ended for its time or size. */
  exit: z.int().nullable(),
});

/** A command of an agent, as it is logged. */
export type LoggedCommand = z.output<typeof commandSchema>;

export const runFiles = { run: 'run.json', log: 'log.jsonl', answers: 'answers.json', prompt: 'prompt.md' };

export async function readRun(folder: string): Promise<Run> {
  return runSchema.parse(JSON.parse(await readFile(join(folder, runFiles.run), 'utf8')));
}

/** The commands of a run, in their order; none where it has not begun. */
export async function readLog(folder: string): Promise<LoggedCommand[]> {
  const text = (await textOf(join(folder, runFiles.log))) ?? '';
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => commandSchema.parse(JSON.parse(line)));
}

/** The answers of a run by the id of the question; undefined where it has none yet. */
export async function readAnswers(folder: string): Promise<Readonly<Record<string, string>> | undefined> {
  const text = await textOf(join(folder, runFiles.answers));
  return text === undefined ? undefined : z.record(z.string(), z.string()).parse(JSON.parse(text));
}

export function roundFolder(work: string, round: number): string {
  return join(work, 'rounds', String(round));
}

/** The runs of a round with their folders. */
export async function runsOf(work: string, round: number): Promise<{ folder: string; run: Run }[]> {
  const names = await readdir(roundFolder(work, round), { withFileTypes: true });
  const folders = names.filter((entry) => entry.isDirectory()).map(({ name }) => name);
  return Promise.all(
    folders.sort().map(async (name) => {
      const folder = join(roundFolder(work, round), name);
      return { folder, run: await readRun(folder) };
    }),
  );
}

/** The text of a file; undefined where there is none. */
export async function textOf(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (thrown) {
    if ((thrown as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw thrown;
  }
}
