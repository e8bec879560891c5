import type { IndexState, Store } from '../contracts/store.ts';
import { tagsOf } from '../core/documents/own-fields.ts';

/** What an index holds, by which it can be narrowed down. */
export interface Kinds {
  readonly types: ReadonlySet<string>;
  readonly languages: ReadonlySet<string>;
  /** In lower case, with those above them. */
  readonly tags: ReadonlySet<string>;
  /** Names of what documents say of themselves, in lower case. */
  readonly fields: ReadonlySet<string>;
}

const known = new WeakMap<Store, { readonly revision: number; readonly kinds: Kinds }>();

/** The types of the documents of an index and the languages of its code, read once for each revision. */
export async function kindsOf(store: Store, { revision }: Pick<IndexState, 'revision'>): Promise<Kinds> {
  const before = known.get(store);
  if (before?.revision === revision) return before.kinds;
  const documents = await store.documents();
  const languages = documents.flatMap(({ metadata: { language } }) =>
    typeof language === 'string' ? [language] : [],
  );
  const kinds = {
    types: new Set(documents.map(({ type }) => type)),
    languages: new Set(languages),
    tags: new Set(documents.flatMap(({ metadata }) => tagsOf(metadata).flatMap(withThoseAbove))),
    fields: new Set(
      documents.flatMap(({ metadata }) => Object.keys(metadata).map((name) => name.toLowerCase())),
    ),
  };
  known.set(store, { revision, kinds });
  return kinds;
}

function withThoseAbove(tag: string): string[] {
  const parts = tag.split('/');
  return parts.map((_, at) => parts.slice(0, at + 1).join('/'));
}
