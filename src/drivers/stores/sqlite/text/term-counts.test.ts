import { beforeAll, describe, expect, test } from 'vitest';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { temporaryFolder } from '../../../../testing/temporary-folder.ts';
import { replaceDocument } from '../documents/replace-document.ts';
import { Connection } from '../file/connection.ts';
import { expressionOf } from './term-counts.ts';
import { searchText } from './text-index.ts';

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
    await target.write(() => replaceDocument(target, record, chunkEntries(record, texts)));
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

function scores(words: readonly string[], limit = 50): [text: string, score: number][] {
  return searchText(connection, words, { limit }).map(({ chunk, score }) => [chunk.text, score]);
}

/** The same without any thrift. */
function plainScores(words: readonly string[], limit = 50): [text: string, score: number][] {
  return connection
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
    expect(expressionOf(connection, ['whale', 'harbour'], 10).match).toBe('"harbour"');
    expect(expressionOf(connection, ['whale', 'whale'], 10).match).toBe('"whale" OR "whale"');
    // What it alone finds fills the places that the others leave empty.
    expect(expressionOf(connection, ['whale', 'n7'], 10).match).toBe('"whale" OR "n7"');
    expect(scores(['whale', 'n7'])).toHaveLength(50);
  });

  test('a word in many chunks is looked for among what rarer ones find, where that is plenty', () => {
    expect(expressionOf(connection, ['harbour', 'ocean'], 10)).toEqual({
      match: '("harbour") AND ("harbour" OR "ocean" OR "ocean")',
      factor: 2,
    });
    expect(expressionOf(connection, ['harbour', 'ocean'], 1_000).factor).toBe(1);
    expect(expressionOf(connection, ['harbour', 'ocean'], undefined).factor).toBe(1);
  });

  test('a filter admits what common words alone find', () => {
    const filter = { paths: ['1.md'] };
    const found = searchText(connection, ['harbour', 'ocean'], { limit: 50, filter });
    expect(found).toHaveLength(6);
  });
});
