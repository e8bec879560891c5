import { signal } from '@preact/signals';
import { type NotesChange, noNotes, type ReaderNotes, withChange } from '../../../src/core/reader-notes.ts';
import { asking } from './session.ts';

/** What is remembered for the reader of the project that is shown. */
export const notes = signal<ReaderNotes>(noNotes);

/** Where the questions of the reader are kept; undefined where nothing is kept, because the reader is not the owner. */
export const questionsFile = signal<string | undefined>(undefined);

// The version before kept searches in the browser, where the next program on the port could read them.
for (const key of Object.keys(localStorage))
  if (key.startsWith('quarry.queries.')) localStorage.removeItem(key);

/** The project that the notes are of. */
let current: string | undefined;

const pathOf = (project: string): string => `/v1/projects/${encodeURIComponent(project)}/reader`;

/** Brings the notes of a project; another tab may have changed them. */
export async function loadNotes(project: string): Promise<void> {
  if (project !== current) [notes.value, questionsFile.value] = [noNotes, undefined];
  current = project;
  try {
    const kept = (await asking((client) => client.request('GET', pathOf(project)))) as ReaderNotes & {
      questions_file: string;
    };
    if (project === current) [notes.value, questionsFile.value] = [kept, kept.questions_file];
  } catch {
    // Who is not the owner is remembered as long as the page is open, and what is wrong otherwise is said by what was asked for.
  }
}

/** Remembers something, or forgets it: at once here, and on the machine of the owner. */
export async function note(project: string, change: NotesChange): Promise<void> {
  if (project !== current) return;
  notes.value = withChange(notes.value, change);
  if (questionsFile.value === undefined) return;
  await asking((client) => client.request('POST', pathOf(project), change));
}

/** The same where nobody waits for it: what could not be kept is kept as long as the page is open. */
export function noteQuietly(project: string, change: NotesChange): void {
  // Nobody waits for it, and the notes on the page stay.
  note(project, change).catch(() => undefined);
}

/** Has the judged questions asked, in the background. */
export async function askOwnQuestions(project: string): Promise<void> {
  await asking((client) => client.request('POST', `${pathOf(project)}/eval`, {}));
}
