import { expect, test } from 'vitest';
import { Connection } from '../file/connection.ts';
import { corpus } from '../graph/corpus.fixture.ts';
import { tamper } from '../soundness/library.fixture.ts';
import { scanFile, scoreEmbeddings, scoreVectors } from './file-scan.ts';
import { signedBytes } from './quantise.ts';
import { makeVectorQuery } from './vector-query.ts';

const space = { number: 1, dimensions: 24 };

test('vectors that are scored many at a time have the scores of plain arithmetic, damaged ones too', async () => {
  const { connection: filled, path } = await corpus(110, space.dimensions);
  filled.close();
  // Too short, too long, and none at all: what is missing counts as zero, and what is too much not at all.
  tamper(path, "UPDATE vectors SET components = x'7f7f' WHERE number % 500 = 1");
  tamper(
    path,
    'UPDATE vectors SET components = CAST(components || components AS BLOB) WHERE number % 500 = 2',
  );
  tamper(path, "UPDATE vectors SET components = 'text' WHERE number % 500 = 3");
  const connection = new Connection(path);
  const vector = Float32Array.from({ length: space.dimensions }, (_, place) => Math.sin(place + 1));
  const rows = connection.all('SELECT number, embedding, scale, components FROM vectors');
  expect(rows).toHaveLength(2200);
  const query = makeVectorQuery(vector, 2200, { sql: '', parameters: [] });
  const { components: asked, scale: ownScale } = query.quantised;
  const expected = new Map(
    rows.map(({ embedding, scale, components }) => {
      const bytes = signedBytes(components);
      const product = asked.reduce((sum, value, place) => sum + value * (bytes[place] ?? 0), 0);
      return [Number(embedding), product * ownScale * Number(scale)];
    }),
  );
  const numbers = (column: 'number' | 'embedding') => rows.map((row) => Number(row[column]));
  for (const found of [
    scanFile(connection, space, query),
    scoreEmbeddings(connection, space, query, numbers('embedding')),
    scoreVectors(connection, space, query, numbers('number')),
  ]) {
    expect(new Map(found.map(({ embedding, score }) => [embedding, score]))).toEqual(expected);
    expect(found).toEqual(found.toSorted((one, other) => other.score - one.score));
  }
  connection.close();
});
