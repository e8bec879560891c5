import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';

type Entry = NonNullable<SearchHit['trace']>[number];

/** What a rule says of a hit that it raised, as a user would. A rule that is not here is shown as it names itself. */
const raised: Readonly<Record<string, string>> = {
  'defines what is asked for': 'It defines this name.',
  'belongs to what is asked for': 'It belongs to this name.',
  'its file has the name': 'Its file has this name.',
  'is the file that is named': 'You named this file.',
  'holds the line that is named': 'You named this line.',
  'has the quoted words as they stand': 'It has the quoted words exactly.',
  'has the query as it stands': 'It has your words exactly as you wrote them.',
  'has all the words': 'It has all of your words.',
  'file name matches the query': 'The name of its file fits.',
  'folder name matches the query': 'The name of its folder fits.',
  'name matches the query': 'Its name fits.',
  exported: 'Other files can use it.',
  'is recent': 'It is recent.',
  'comes from a trusted origin': 'It comes from your own files.',
  'what else was found in its file': 'More was found in the same file.',
  'other files that fit use what its file defines': 'Other files that fit use what it defines.',
};
/** What a rule says of a hit that it lowered. */
const lowered: Readonly<Record<string, string>> = {
  'only declares': 'Lower down: it only declares something.',
  'is found by its path or heading alone': 'Lower down: only its path or heading fits.',
  'lacks the name that is asked for': 'Lower down: it does not have the name.',
  'the whole index has enough that fits better': 'Lower down: other places outside of the filter fit better.',
};
/** Ranks that count as being among the first. */
const amongFirst = 3;

/** Why a hit is where it is, in sentences, the most telling first. */
export function whyHere({ trace = [], relevance, occurrences }: SearchHit): string[] {
  const stage = (name: string): Entry | undefined => trace.find((entry) => entry.stage === name);
  const place = (entry: Entry | undefined, first: string, later: string): string[] =>
    entry === undefined ? [] : [(entry.rank ?? amongFirst + 1) <= amongFirst ? first : later];
  const notes = trace.filter((entry): entry is Entry & { note: string } => entry.note !== undefined);
  const ups = notes.filter(({ score }) => score > 0).sort((one, other) => other.score - one.score);
  const downs = notes.filter(({ score }) => score < 0).sort((one, other) => one.score - other.score);
  const said = [
    ...(occurrences === undefined ? [] : ['It has the text exactly as you wrote it.']),
    ...ups.map(({ note }) => raised[note] ?? `Raised: ${note}.`),
    ...place(
      stage('dense'),
      'Its meaning is among the closest to your words.',
      'Its meaning is near to your words.',
    ),
    ...place(stage('text'), 'It is among the best matches for the words.', 'It has some of your words.'),
    ...place(stage('rerank'), 'A closer look put it among the first.', 'A closer look put it further down.'),
    ...downs.map(({ note }) =>
      note.endsWith(' file')
        ? `Lower down: ${article(note)} ${note}.`
        : (lowered[note] ?? `Lowered: ${note}.`),
    ),
  ];
  return said.length > 0
    ? [...new Set(said)]
    : [relevance > 0 ? 'It is the nearest there is.' : 'Nothing is known of it.'];
}

function article(noun: string): string {
  return /^[aeiou]/i.test(noun) ? 'an' : 'a';
}
