import type { IndexState, Store } from '../../contracts/store.ts';
import type { Filter } from '../../core/filter.ts';
import { documentTypes } from '../../index/document-types.ts';

/**
 * Questions about what has changed, by their beginnings and words: past tense after "why" and "when", who did something, and
 * the words of version control. "What happens when a file is changed" is none.
 */
const patterns: readonly RegExp[] = [
  /^(?:and )?(?:why|when|since when|how long ago|in which version) (?:was|were|wasn't|did|didn't|has|have|had)\b/,
  /^(?:and )?who (?:has |have |had |last |first )*(?:chang|add|remov|introduc|renam|mov|replac|delet|dropp|fix|broke|wrote|made|mad|touch|work)/,
  /^what (?:has |have |was |were )?(?:been )?(?:recently )?(?:chang|add|remov|fix|introduc|renam)\w*ed\b/,
  /\b(?:commit|commits|committed|git log|git blame|git history|change history|reverted|regression)\b/,
  /^(?:warum|wieso|weshalb|wann) (?:wurden?|kam|kamen|hat|haben|war|waren)\b|^seit wann\b|^wer hat\b/,
  /^(?:pourquoi|quand|qui) (?:a-t|a|ont|avait|avons|est-ce que) ?/,
  /^(?:por qué|cuándo|quién) (?:se|fue|fueron|ha|han|cambi|añadi|quit|elimin)/,
];

/** Whether a question may be answered by a commit; otherwise what was once written must not stand before what is. */
export function asksForHistory(query: string, filter: Filter | undefined): boolean {
  // Who names a type, an author or a commit says what is meant.
  if (filter?.types || filter?.authors || filter?.paths?.some((path) => /^!?\/?commit:/.test(path)))
    return true;
  const plain = query.trim().toLowerCase().replaceAll('\u2019', "'");
  return patterns.some((pattern) => pattern.test(plain));
}

/** Everything but commits: what was once written must not stand before what is. Undefined where there are none. */
export async function withoutCommits(store: Store, state: IndexState): Promise<Filter | undefined> {
  const types = await documentTypes(store, state);
  return types.has('commit') ? { types: [...types.keys()].filter((type) => type !== 'commit') } : undefined;
}
