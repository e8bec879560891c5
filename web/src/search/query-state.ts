import { computed } from '@preact/signals';
import { goTo, linkTo, route } from '../shell/route.ts';
import { type Question, questionIn, wordsOf } from './questions.ts';

/** The question as the address has it, without the hit that is open: it stays the same when another is opened. */
const asked = computed(() => String(new URLSearchParams(wordsOf(questionIn(route.value.words)))));

/** The question in the address. */
export const question = computed<Question>(() => questionIn(new URLSearchParams(asked.value)));

/** The place of the hit that the address names; undefined where it names none. */
export const openedHit = computed(() => route.value.words.get('hit') ?? undefined);

/** Changes the question; while the reader types, in place of the previous. */
export function askFor(change: Partial<Question>, { replace = false } = {}): void {
  goTo(linkTo(route.value.project, 'search', wordsOf({ ...question.value, ...change })), { replace });
}

/** Has the address name a hit, so that a link leads to it. */
export function nameHit(citation: string | undefined): void {
  if (citation === openedHit.value) return;
  goTo(linkToHit(citation), { replace: true });
}

/** The address of a hit among those of the question. */
export function linkToHit(citation: string | undefined): string {
  return linkTo(route.value.project, 'search', {
    ...wordsOf(question.value),
    ...(citation && { hit: citation }),
  });
}
