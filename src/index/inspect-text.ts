import type { Chunk } from '../core/chunk.ts';
import { literalGlob } from '../core/globs/glob.ts';
import { terms } from '../core/text/terms.ts';
import { type Finding, type Look, requireGoing } from './findings.ts';
import type { DocumentPart } from './read-parts.ts';

/** Documents of which some chunks are searched for by their words, and how many of each: the same ones each time. */
const maxDocuments = 32;
const maxChunks = 4;
/** Matches in which a chunk is looked for; where there are more, nothing is concluded. */
const limit = 200;
/** Longer paths are no globs. */
const maxPathLength = 400;

/** Whether the document at this position among so many is one of those that are searched for. */
export function isSampled(position: number, count: number): boolean {
  return position % Math.ceil(count / maxDocuments) === 0;
}

/** Searches for some chunks of a document by the rarest of their words. */
export async function* inspectText(
  { store, signal }: Look,
  { document, chunks }: DocumentPart,
): AsyncGenerator<Finding> {
  const { uri } = document;
  if (uri.length > maxPathLength) return;
  const words = chunks.map(({ text }) => new Set(terms(text)));
  const counts = new Map<string, number>();
  for (const each of words) for (const word of each) counts.set(word, (counts.get(word) ?? 0) + 1);
  const step = Math.ceil(chunks.length / maxChunks);
  for (let at = 0; at < chunks.length; at += step) {
    const word = rarest(words[at] ?? new Set(), counts);
    const chunk = chunks[at];
    if (word === undefined || !chunk) continue;
    requireGoing(signal);
    const found = await store.searchText([word], { limit, filter: { paths: [literalGlob(uri)] } });
    if (found.length >= limit || found.some((match) => isSame(match.chunk, chunk))) continue;
    const detail = `Chunk ${chunk.id} is not found by its words.`;
    yield { defect: { kind: 'text', uri, detail }, cure: { step: 'rewrite', document } };
  }
}

/** The word in the fewest chunks of the document; the longest of several. */
function rarest(words: ReadonlySet<string>, counts: ReadonlyMap<string, number>): string | undefined {
  const count = (word: string) => counts.get(word) ?? 0;
  let best: string | undefined;
  for (const word of words) {
    if (word.length > 64) continue;
    const isBetter =
      best === undefined ||
      count(word) < count(best) ||
      (count(word) === count(best) && word.length > best.length);
    if (isBetter) best = word;
  }
  return best;
}

function isSame(one: Chunk, other: Chunk): boolean {
  return one.documentId === other.documentId && one.id === other.id;
}
