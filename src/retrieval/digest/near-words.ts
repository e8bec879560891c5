import type { Store } from '../../contracts/store.ts';
import type { Hit } from '../../core/hit.ts';
import { identifierParts, queryTerms, terms } from '../../core/text/terms.ts';
import { meet } from '../rules/word-match.ts';

/** Words that are offered. */
const maxWords = 6;
/** Words whose rarity is looked up. */
const maxLooked = 8;
/** Chunks that have a word, up to which they are counted. */
const maxHolders = 60;
/** Hits whose words count. */
const maxHits = 8;

/** What the project has to say to a query that nothing answers well. */
export interface NearWords {
  /** Words that the nearest hits share and few others have, best first. */
  readonly words: readonly string[];
  /** Words of the query that no text has. */
  readonly missing: readonly string[];
}

/** Words of the project that stand where those of the query might: names and terms of the nearest hits that are rare elsewhere. */
export async function nearWords(
  store: Pick<Store, 'state' | 'searchText'>,
  query: string,
  hits: readonly Hit[],
): Promise<NearWords> {
  // Where there is no text at all, no word of the query is missing more than any other.
  if (hits.length === 0 && (await store.state()).isEmpty) return { words: [], missing: [] };
  const asked = [...new Set(queryTerms(query))].filter((word) => word.length > 2).slice(0, maxLooked);
  const holders = async (word: string, limit = maxHolders): Promise<number> =>
    (await store.searchText([word], { limit })).length;
  const nearest = hits.slice(0, maxHits);
  // To rank all that have a word takes long where many do, and a word that a hit shows is not missing.
  const shown = new Set(nearest.flatMap(({ chunk }) => terms(chunk.text)));
  const missing: string[] = [];
  for (const word of asked) if (!shown.has(word) && (await holders(word, 1)) === 0) missing.push(word);
  const shares = sharesOf(nearest, [...new Set(terms(query))]);
  const looked = [...shares].sort(([, one], [, other]) => other - one).slice(0, maxLooked);
  const scored: { word: string; score: number }[] = [];
  for (const [word, share] of looked) {
    const count = await holders(word);
    // A word that is everywhere leads nowhere, and one that stands once is chance.
    if (count > 1 && count < maxHolders) scored.push({ word, score: share / Math.log2(2 + count) });
  }
  const words = scored
    .sort((one, other) => other.score - one.score)
    .map(({ word }) => word)
    .filter((word, at, all) => !all.slice(0, at).some((better) => meet(better, word)));
  return { words: words.slice(0, maxWords), missing };
}

/** In the names of how many hits a word is: of their files, headings and definitions; one that the text has too counts double. Words of the user's own count in none. */
function sharesOf(hits: readonly Hit[], own: readonly string[]): Map<string, number> {
  const shares = new Map<string, number>();
  for (const { chunk, document } of hits) {
    const named = new Set(
      [document.uri.replace(/\.[^./]*$/, ''), chunk.symbol?.name ?? '', chunk.section].flatMap((name) =>
        name.split(/[^\p{L}\p{N}_$]+/u).flatMap(identifierParts),
      ),
    );
    const told = new Set(terms(chunk.text));
    for (const word of named) {
      if (word.length < 4 || !/^\p{L}+$/u.test(word) || own.some((each) => meet(each, word))) continue;
      shares.set(word, (shares.get(word) ?? 0) + (told.has(word) ? 2 : 1));
    }
  }
  return shares;
}
