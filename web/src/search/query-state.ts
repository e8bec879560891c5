import { computed } from '@preact/signals';
import { goTo, linkTo, route } from '../shell/route.ts';
import { meantBy, withoutNarrowing } from './narrowing.ts';
import { type Question, questionIn, wordsOf } from './questions.ts';

/** The question as the address has it, without the hit that is open: it stays the same when another is opened. */
const asked = computed(() => String(new URLSearchParams(wordsOf(questionIn(route.value.words)))));

/** The question as it stands in the box and the fields. */
export const typed = computed<Question>(() => questionIn(new URLSearchParams(asked.value)));

/** The question in the address: what narrows it down may have been typed or chosen. */
export const question = computed<Question>(() => meantBy(typed.value));

/** The place of the hit that the address names; undefined where it names none. */
export const openedHit = computed(() => route.value.words.get('hit') ?? undefined);

/** Changes the question; while the reader types, in place of the previous. What is chosen holds in place of what was typed. */
export function askFor(change: Partial<Question>, { replace = false } = {}): void {
  const query = withoutNarrowing(typed.value.query, Object.keys(change));
  goTo(linkTo(route.value.project, 'search', wordsOf({ ...typed.value, query, ...change })), { replace });
}

/** Has the address name a hit, so that a link leads to it. */
export function nameHit(citation: string | undefined): void {
  if (citation === openedHit.value) return;
  goTo(linkToHit(citation), { replace: true });
}

/** The address of a hit among those of the question. */
export function linkToHit(citation: string | undefined): string {
  return linkTo(route.value.project, 'search', {
    ...wordsOf(typed.value),
    ...(citation && { hit: citation }),
  });
}
