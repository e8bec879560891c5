import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { draws } from '../../../../core/draws.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { replaceDocument } from '../documents/replace-document.ts';
import { Connection } from '../file/connection.ts';
import { insertText, searchText } from './text-index.ts';
import { joinText } from './text-upkeep.ts';

/** So many documents, each put on its own, with words that nearly all differ. */
async function filled(documents: number): Promise<Connection> {
  const connection = new Connection(`${await temporaryFolder()}/index.sqlite`);
  const draw = draws(3);
  const word = () => `w${Math.floor(draw() * 2 ** 32).toString(36)}`;
  for (let number = 0; number < documents; number += 1) {
    const record = documentRecord(`${number}.md`);
    const texts = Array.from({ length: 10 }, (_, at) =>
      [`common${at}`, ...Array.from({ length: 32 }, word)].join(' '),
    );
    await connection.write(() =>
      insertText(connection, replaceDocument(connection, record, chunkEntries(record, texts)).added),
    );
  }
  return connection;
}

function pieces(connection: Connection): number {
  return Number(connection.get('SELECT count(DISTINCT segid) AS count FROM chunk_terms_idx')?.count);
}

function found(connection: Connection): unknown[] {
  return searchText(connection, ['common3', 'common7'], { limit: 30 });
}

test('a text index in many pieces is put into one, once, and its answers stay', async () => {
  const connection = await filled(300);
  const before = found(connection);
  expect(before).toHaveLength(30);
  expect(pieces(connection)).toBeGreaterThan(2);

  const stopped = AbortSignal.abort();
  await joinText(connection, 0, stopped);
  await joinText(connection, 0);
  expect(pieces(connection)).toBe(1);
  expect(found(connection)).toEqual(before);

  const changes = () => Number(connection.get('SELECT total_changes() AS count')?.count);
  const settled = changes();
  await joinText(connection, 0);
  expect(changes()).toBe(settled);
  connection.close();
});

test('a small text index stays as it is', async () => {
  const connection = await filled(20);
  const before = pieces(connection);
  await joinText(connection, 0);
  expect(pieces(connection)).toBe(before);
  connection.close();
});
