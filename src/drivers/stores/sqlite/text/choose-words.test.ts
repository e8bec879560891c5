import { beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { draws } from '../../../../core/draws.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { replaceDocument } from '../documents/replace-document.ts';
import { Connection } from '../file/connection.ts';
import { planSearch } from './choose-words.ts';
import { expressionOf, type WordChoice } from './expression.ts';
import { insertText, searchText } from './text-index.ts';

const documents = 300;
const chunksEach = 20;

let connection: Connection;
beforeAll(async () => {
  connection = new Connection(`${await temporaryFolder()}/index.sqlite`);
  await fill(connection, textOf);
  return () => connection.close();
});

async function fill(target: Connection, text: (number: number) => string): Promise<void> {
  for (let number = 0; number < documents; number += 1) {
    const record = documentRecord(`${number}.md`);
    const texts = Array.from({ length: chunksEach }, (_, at) => text(number * chunksEach + at));
    await target.write(() =>
      insertText(target, replaceDocument(target, record, chunkEntries(record, texts)).added),
    );
  }
}

/** `whale` in all chunks, `ocean` in a fourth, `harbour` in a tenth and `lantern` in a hundredth of them. */
function textOf(number: number): string {
  const words = ['whale', `n${number}`];
  if (number % 4 === 0) words.push('ocean');
  if (number % 10 === 0) words.push('harbour');
  if (number % 100 === 0) words.push('lantern');
  return words.join(' ');
}

function scores(words: readonly string[], limit = 50, among = connection): [text: string, score: number][] {
  return searchText(among, words, { limit }).map(({ chunk, score }) => [chunk.text, score]);
}

function whole(words: readonly string[], wanted = 10) {
  return planSearch(connection, words, wanted, false).whole;
}

function rowsOf(among: Connection, choice: WordChoice): number {
  const row = among.get(
    'SELECT count(*) AS count FROM chunk_terms WHERE chunk_terms MATCH ?',
    expressionOf(choice).match,
  );
  return Number(row?.count);
}

/** The same without any thrift. */
function plainScores(
  words: readonly string[],
  limit = 50,
  among = connection,
): [text: string, score: number][] {
  return among
    .all(
      `SELECT c.text, -bm25(chunk_terms, 1.0, 1.5, 1.5, 3.0) AS score FROM chunk_terms
       JOIN chunks c ON c.number = chunk_terms.rowid WHERE chunk_terms MATCH ? ORDER BY score DESC, c.number LIMIT ?`,
      words.map((word) => `"${word}"`).join(' OR '),
      limit,
    )
    .map(({ text, score }) => [String(text), Number(score)]);
}

describe('in a large index', () => {
  test.each([
    { words: ['harbour', 'whale'] },
    { words: ['harbour', 'ocean'] },
    { words: ['harbour', 'ocean', 'whale', 'lantern'] },
    { words: ['harbour', 'harbour', 'ocean', 'ocean', 'ocean', 'lantern'] },
    { words: ['whale'] },
    { words: ['ocean', 'whale'] },
    { words: ['lantern', 'ocean'] },
  ])('common words cost less and change nothing: $words', ({ words }) => {
    const found = scores(words);
    const plain = plainScores(words);
    expect(found.map(([text]) => text)).toEqual(plain.map(([text]) => text));
    for (const [index, [, score]] of found.entries()) expect(score).toBeCloseTo(plain[index]?.[1] ?? 0, 3);
  });

  test('a word in more than half of the chunks is not looked for, unless there is no other', () => {
    expect(whole(['whale', 'harbour'])).toEqual({ required: ['harbour'], optional: [] });
    expect(whole(['whale', 'whale'])).toEqual({ required: ['whale', 'whale'], optional: [] });
    // What it alone finds fills the places that the others leave empty.
    expect(whole(['whale', 'n7'])).toEqual({ required: ['whale', 'n7'], optional: [] });
    expect(scores(['whale', 'n7'])).toHaveLength(50);
  });

  test('a word in many chunks is looked for among what rarer ones find, where that is plenty', () => {
    expect(whole(['harbour', 'ocean'])).toEqual({ required: ['harbour'], optional: ['ocean'] });
    expect(whole(['harbour', 'ocean'], 1_000).optional).toEqual([]);
    expect(planSearch(connection, ['harbour', 'ocean'], 10, true).whole.optional).toEqual([]);
  });

  test('a filter admits what common words alone find', () => {
    const filter = { paths: ['1.md'] };
    const found = searchText(connection, ['harbour', 'ocean'], { limit: 50, filter });
    expect(found).toHaveLength(6);
  });
});

describe('words of very different numbers', () => {
  let varied: Connection;
  const draw = draws(5);
  /** The first words in nearly a tenth of the chunks, the last ones in a few. */
  const drawn = () => `v${Math.floor(3_000 * draw() ** 3)}`;

  beforeAll(async () => {
    varied = new Connection(`${await temporaryFolder()}/index.sqlite`);
    await fill(varied, () => Array.from({ length: 5 + Math.floor(30 * draw()) }, drawn).join(' '));
    return () => varied.close();
  });

  test('rows that cannot be among the best are not scored, and the answer is the same', () => {
    const ways = { first: 0, narrowed: 0 };
    const scored = { pruned: 0, plain: 0 };
    for (let number = 0; number < 90; number += 1) {
      const words = Array.from({ length: 2 + (number % 6) }, drawn);
      const wanted = [3, 10, 40][number % 3] ?? 0;
      const plan = planSearch(varied, words, wanted, true);
      const expected = plainScores(words, wanted, varied);
      const found = searchText(varied, words, { limit: wanted, filter: { origins: ['file'] } });
      expect(found.map(({ chunk }) => chunk.text)).toEqual(expected.map(([text]) => text));
      for (const [place, { score }] of found.entries())
        expect(score).toBeCloseTo(expected[place]?.[1] ?? 0, 9);
      if (!plan.first) continue;
      const next = plan.next(Number(expected.at(-1)?.[1]));
      if (next !== plan.whole) ways[next ? 'narrowed' : 'first'] += 1;
      scored.pruned += rowsOf(varied, plan.first) + (next ? rowsOf(varied, next) : 0);
      scored.plain += rowsOf(varied, plan.whole);
    }
    for (const [way, count] of Object.entries(ways)) expect(count, way).toBeGreaterThan(5);
    expect(scored.pruned).toBeLessThan(0.6 * scored.plain);
  });
});
