import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { idOfFolder } from '../core/identity.ts';
import {
  maxKept,
  type NotesChange,
  noNotes,
  type OwnQuestion,
  type ReaderNotes,
  withChange,
} from '../core/reader-notes.ts';
import { type Environment, userDataFolder } from '../platform/environment.ts';
import { makeFolder } from '../platform/make-folder.ts';
import { waitForLock } from '../platform/sqlite/writer-lock.ts';
import { openUserRecord } from '../platform/user-record.ts';

const asked = z.string().min(1).max(4000);
const chunk = z.string().min(1).max(200);
const path = z.string().min(1).max(4000);
const text = z
  .string()
  .max(4000)
  .refine((value) => value.trim() !== '', 'must not be empty');
const seen = z.array(chunk).max(1000);

/** What a page may ask to keep. */
export const notesChangeSchema = z.strictObject({
  asked: asked.optional().describe('A search that was made, as the address of the page has it.'),
  opened: chunk.optional().describe('A chunk that the reader looked at.'),
  saved: z
    .strictObject({ asked, seen })
    .optional()
    .describe('A search to keep, with the chunks that were seen of it.'),
  unsaved: asked.optional().describe('A kept search to forget.'),
  judged: z
    .strictObject({ text, path: path.optional(), verdict: z.enum(['yes', 'no', 'undecided']) })
    .optional()
    .describe('Whether a file answers a question; without `path`, that nothing was found.'),
  dropped: z.string().max(4000).optional().describe('A question to forget.'),
  forgotten: z
    .enum(['searches', 'questions'])
    .optional()
    .describe('Forget all searches and what was opened, or all questions.'),
}) satisfies z.ZodType<NotesChange>;

const searchesSchema = z.object({
  recent: z.array(z.object({ asked, at: z.string() })),
  saved: z.array(z.object({ asked, at: z.string(), seen })),
  opened: z.array(chunk),
});
// What a person adds to a line by hand stays.
const questionSchema = z.looseObject({
  text,
  relevant: z
    .array(
      z.union([
        path.transform((only) => ({ path: only, grade: 1 })),
        z.object({ path, grade: z.number().default(1) }),
      ]),
    )
    .default([]),
});

/** The notes of a user on one project: in the user's own files, and never in the project. */
export interface NotesRecord {
  /** The file of questions, as `quarry eval` takes it. */
  readonly questionsFile: string;
  read(): Promise<ReaderNotes>;
  change(change: NotesChange): Promise<void>;
}

/** Where the questions of a user on the project of this folder are kept. */
export function ownQuestionsFile(environment: Environment, folder: string): string {
  return join(notesFolder(environment, folder), 'questions.jsonl');
}

/** The notes on the project of this folder. */
export function openReaderNotes(environment: Environment, folder: string): NotesRecord {
  const searchesFile = join(notesFolder(environment, folder), 'searches.json');
  const questionsFile = ownQuestionsFile(environment, folder);
  const { questions: noQuestions, ...noSearches } = noNotes;
  const searches = openUserRecord<Omit<ReaderNotes, 'questions'>>(searchesFile, {
    name: 'The record of your searches',
    remedy: 'Delete the file; only what the page remembered is lost.',
    empty: noSearches,
    parse: (content) => searchesSchema.parse(JSON.parse(content)),
    write: (value) => `${JSON.stringify(value)}\n`,
  });
  const questions = openUserRecord<readonly OwnQuestion[]>(questionsFile, {
    name: 'The file of your questions',
    remedy: 'Correct it: each line is a JSON object with "text" and "relevant".',
    empty: noQuestions,
    parse: (content) => linesOf(content).map((line) => questionSchema.parse(JSON.parse(line))),
    write: (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join(''),
  });
  return {
    questionsFile,
    async read() {
      return { ...(await searches.read()), questions: await questions.read() };
    },
    async change(change) {
      if (change.forgotten === 'searches') await forget(searchesFile);
      if (change.forgotten === 'questions') await forget(questionsFile);
      const isOfQuestions = change.judged !== undefined || change.dropped !== undefined;
      const isOfSearches = [change.asked, change.opened, change.saved, change.unsaved].some(
        (part) => part !== undefined,
      );
      if (isOfSearches)
        await searches.change((before) => {
          const { questions: _, ...after } = withChange({ ...before, questions: [] }, change);
          return after;
        });
      if (isOfQuestions)
        await questions.change((before) => {
          const after = withChange({ ...noNotes, questions: before }, change).questions;
          if (after.length > maxKept.questions && after.length > before.length) throw tooMany(questionsFile);
          return after;
        });
    },
  };
}

/** By what the folder is, so that no project reads what was asked of another. */
function notesFolder(environment: Environment, folder: string): string {
  return join(userDataFolder(environment), 'reader', idOfFolder(folder));
}

function linesOf(content: string): string[] {
  return content.split('\n').filter((line) => line.trim() !== '');
}

function tooMany(file: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${maxKept.questions} questions are kept; there is no room for more.`,
    `Remove some in the Evaluation view, or move ${file} elsewhere and start again.`,
  );
}

/** Under the lock: who is writing has read what is to be forgotten, and would write it back. */
async function forget(file: string): Promise<void> {
  await makeFolder(dirname(file), 0o700);
  const lock = await waitForLock(`${file}.lock`);
  try {
    await rm(file, { force: true });
  } finally {
    lock.release();
  }
}
