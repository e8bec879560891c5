import { noteQuietly } from '../api/notes.ts';
import { typed as box, question } from './query-state.ts';
import { keptForm } from './questions.ts';

/** The question as far as it is typed; undefined once the reader has come to rest at one. */
let typed: string | undefined;
/** The last question that was remembered. */
let remembered: string | undefined;

/** The reader stays with the question: it is remembered, and the next letter begins another one, from which Back leads here. */
export function settle(project: string): void {
  typed = undefined;
  if (question.value.query.trim() === '') return;
  const asked = keptForm(question.value);
  if (`${project} ${asked}` === remembered) return;
  remembered = `${project} ${asked}`;
  noteQuietly(project, { asked });
}

/** Whether a query that is typed takes the place of the question that stands, which was only on the way to it. */
export function takesPlace(query: string): boolean {
  const isOnTheWay = typed === keptForm(box.value);
  typed = keptForm({ ...box.value, query });
  return isOnTheWay;
}
