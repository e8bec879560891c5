import type { IndexState, Store } from '../contracts/store.ts';

/** What an index holds, by which it can be narrowed down. */
export interface Kinds {
  readonly types: ReadonlySet<string>;
  readonly languages: ReadonlySet<string>;
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
  const kinds = { types: new Set(documents.map(({ type }) => type)), languages: new Set(languages) };
  known.set(store, { revision, kinds });
  return kinds;
}
