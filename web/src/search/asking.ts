import { signal } from '@preact/signals';
import { perform } from '../api/operations.ts';
import { asError } from '../api/session.ts';
import type { Turn } from '../ask/turns.ts';
import { isQuestion } from './is-question.ts';
import { filterFor, type Question } from './questions.ts';
import { askedOf } from './several.ts';

/** The answer above the hits; undefined where nothing was asked. */
export const answer = signal<Turn | undefined>(undefined);

/** Milliseconds that a question stands before it is answered: not each one on the way to the whole. */
const standsFor = 350;

let running: AbortController | undefined;
let pause: ReturnType<typeof setTimeout> | undefined;

/** Quotes the files where the query is a question; forgets the answer to another one. */
export function quoteAnswer(project: string, asked: Question): void {
  if (answer.value?.question === asked.query) return;
  forgetAnswer();
  const isPlain = asked.route === '' || asked.route === 'dense';
  if (!isPlain || !isQuestion(asked.query)) return;
  pause = setTimeout(() => void run(project, asked, false), standsFor);
}

/** Asks the query as it is, whatever it looks like, and has a model write the answer where there is one. */
export function askThis(project: string, asked: Question): void {
  if (asked.query.trim() === '') return;
  forgetAnswer();
  void run(project, asked, true);
}

/** Forgets the answer, and stops what is asked. */
export function forgetAnswer(): void {
  clearTimeout(pause);
  running?.abort();
  running = undefined;
  answer.value = undefined;
}

async function run(project: string, asked: Question, generate: boolean): Promise<void> {
  const stop = new AbortController();
  running = stop;
  const question = asked.query;
  const change = (what: Partial<Turn>): void => {
    if (running !== stop) return;
    const before = answer.value ?? { id: question, question, text: '' };
    answer.value = { ...before, ...what };
  };
  // What is quoted unasked is shown when it is there; who asks sees at once that it is looked for.
  if (generate) change({});
  try {
    const result = await perform(
      askedOf(project, asked),
      'ask',
      // The search beside it brings the index up to date.
      { question, ...filterFor(asked), generate, update: false },
      {
        signal: stop.signal,
        onEvent(event) {
          if (generate && event.type === 'answer-text')
            change({ text: (answer.value?.text ?? '') + event.text });
        },
      },
    );
    change({ result });
  } catch (thrown) {
    if (!stop.signal.aborted && generate) change({ error: asError(thrown) });
  }
}
