import { useEffect, useState } from 'preact/hooks';
import { relevanceWord } from '../../../src/core/relevance.ts';
import { noteQuietly, notes } from '../api/notes.ts';
import type { ResultOf } from '../api/operations.ts';
import { question } from './query-state.ts';
import { keptForm, type Question, questionIn } from './questions.ts';
import { search } from './run-search.ts';
import { searchFor } from './several.ts';

/** Hits of a saved search that are compared with those that were seen. */
const compared = 50;

type Hits = ResultOf<'search'>['hits'];

/** What a search finds now, without bringing the index up to date. */
async function hitsOf(project: string, asked: Question): Promise<Hits> {
  const comparing = { full: false, explain: false, brief: true, top_k: compared, update: false };
  return (await searchFor(project, asked, comparing)).hits;
}

/** The chunks of hits that are worth a look and are not among those that were seen of a saved search. */
function unseen(hits: Hits, kept: string): string[] {
  const saved = notes.value.saved.find(({ asked }) => asked === kept);
  if (!saved) return [];
  const seen = new Set(saved.seen);
  const isWorthIt = ({ occurrences, relevance }: Hits[number]): boolean =>
    occurrences !== undefined || relevanceWord(relevance) !== 'weak';
  return hits.filter((hit) => isWorthIt(hit) && !seen.has(hit.chunk)).map(({ chunk }) => chunk);
}

/** The chunks of a saved search that were not there, or read otherwise, when the reader saw it last. */
export async function newChunks(project: string, kept: string): Promise<readonly string[]> {
  return unseen(await hitsOf(project, questionIn(new URLSearchParams(kept))), kept);
}

/** Saves the search, or what is seen of it from now on. */
export async function saveSearch(project: string, asked: Question): Promise<void> {
  const seen = (await hitsOf(project, asked)).map(({ chunk }) => chunk);
  noteQuietly(project, { saved: { asked: keptForm(asked), seen } });
}

/** The hits of this result that are new in a saved search; they count as seen from here on. */
export function useFresh(project: string, result: ResultOf<'search'>): ReadonlySet<string> {
  const [fresh, setFresh] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const asked = search.value.asked ?? question.value;
    const kept = keptForm(asked);
    setFresh(new Set(unseen(result.hits, kept)));
    // What cannot be compared now is compared the next time.
    if (notes.value.saved.some((saved) => saved.asked === kept))
      saveSearch(project, asked).catch(() => undefined);
  }, [project, result]);
  return fresh;
}
