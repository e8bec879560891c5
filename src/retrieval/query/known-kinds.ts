import type { IndexState, Store } from '../../contracts/store.ts';
import { ownTypes } from '../../core/documents/document-type.ts';
import { plainTag } from '../../core/documents/own-fields.ts';
import { QuarryError } from '../../core/errors.ts';
import type { Filter } from '../../core/filter.ts';
import { nearestWord } from '../../core/text/nearest-words.ts';
import { beginningOf } from '../../core/text/shortened.ts';
import { kindsOf } from '../../index/kinds.ts';

/**
 * Fails where a filter names a type that there is nowhere, or a language, tag or field that the index does not have: nothing could be found, and
 * the reason would look like the answer. Types of `[types]` and our own count as known, since their files may come.
 */
export async function requireKnownKinds(
  store: Store,
  state: IndexState,
  { types = [], languages = [], tags = [], fields = [] }: Filter,
  settled: readonly string[],
): Promise<void> {
  if (types.length + languages.length + tags.length + fields.length === 0 || state.isEmpty) return;
  const isKnown = new Set([...settled, ...ownTypes]);
  const unknown = types.filter((type) => !isKnown.has(type));
  if (unknown.length + languages.length + tags.length + fields.length === 0) return;
  const kinds = await kindsOf(store, state);
  requireEach('type', unknown, new Set([...kinds.types, ...settled]));
  requireEach('language', languages, kinds.languages);
  requireEach('tag', tags.map(plainTag), kinds.tags);
  requireEach(
    'field',
    fields.map((field) => field.replace(/=.*$/s, '').trim().toLowerCase()),
    kinds.fields,
  );
}

function requireEach(what: string, wanted: readonly string[], known: ReadonlySet<string>): void {
  const unknown = wanted.find((each) => !known.has(each));
  if (unknown === undefined) return;
  const all = [...known].sort();
  const near = nearestWord(unknown, all);
  throw new QuarryError(
    'usage-invalid',
    `Nothing here has the ${what} ${JSON.stringify(beginningOf(unknown, 80))}.`,
    `${near ? `Did you mean ${near}? ` : ''}There ${all.length === 1 ? 'is' : 'are'}: ${listOf(all)}.`,
  );
}

/** There may be thousands of tags. */
const shownKinds = 40;

function listOf(all: readonly string[]): string {
  const left = all.length - shownKinds;
  return `${all.slice(0, shownKinds).join(', ') || 'none'}${left > 0 ? ` and ${left} more` : ''}`;
}
