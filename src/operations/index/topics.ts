import type { DocumentRecord } from '../../core/document.ts';
import { queryTerms } from '../../core/text/terms.ts';

/** A part of the corpus: a folder, with the words that set its documents apart from the others. */
export interface Topic {
  /** `.` for documents at the top. */
  readonly folder: string;
  readonly documents: number;
  readonly chunks: number;
  readonly words: readonly string[];
}

/** Words that say what a topic is about. */
const wordsEach = 5;
/** A folder that holds more than this share of the documents is shown as its subfolders. */
const maxShare = 0.5;

type Counted = Pick<DocumentRecord, 'uri' | 'title'> & { readonly chunks: number };

/** The largest parts of a corpus, most chunks first. */
export function largestTopics(documents: readonly Counted[], limit: number): Topic[] {
  const groups = groupsOf(documents, 1, documents.length * maxShare);
  const spread = new Map<string, number>();
  const counted = [...groups].map(([folder, members]) => {
    const words = wordCounts(members);
    for (const word of words.keys()) spread.set(word, (spread.get(word) ?? 0) + 1);
    return { folder, members, words };
  });
  return counted
    .map(({ folder, members, words }) => ({
      folder,
      documents: members.length,
      chunks: members.reduce((sum, { chunks }) => sum + chunks, 0),
      words: [...words]
        // A word of every folder tells nothing about one.
        .map(
          ([word, count]) => [word, count * Math.log((1 + groups.size) / (spread.get(word) ?? 1))] as const,
        )
        .sort(([one, weight], [other, otherWeight]) => otherWeight - weight || (one < other ? -1 : 1))
        .slice(0, wordsEach)
        .map(([word]) => word),
    }))
    .sort((one, other) => other.chunks - one.chunks || (one.folder < other.folder ? -1 : 1))
    .slice(0, limit);
}

/** Documents by folder; a folder with too many of them by its subfolders. */
function groupsOf(documents: readonly Counted[], depth: number, max: number): Map<string, Counted[]> {
  const byFolder = Map.groupBy(
    documents,
    ({ uri }) => uri.split('/').slice(0, -1).slice(0, depth).join('/') || '.',
  );
  const groups = [...byFolder].flatMap(([folder, members]) => {
    const isDivisible = members.some(({ uri }) => uri.split('/').length - 1 > depth);
    if (members.length <= max || !isDivisible) return [[folder, members] as const];
    return [...groupsOf(members, depth + 1, max)];
  });
  return new Map(groups);
}

/** In how many of the documents each word of a title or file name occurs. */
function wordCounts(documents: readonly Counted[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { uri, title } of documents) {
    const name = uri.slice(uri.lastIndexOf('/') + 1).replace(/\.[^.]*$/, '');
    const words = new Set(queryTerms(`${title} ${name}`).filter((word) => /^\p{L}{3,}$/u.test(word)));
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  }
  return counts;
}
