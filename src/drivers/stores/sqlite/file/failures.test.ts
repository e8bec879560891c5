import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { storeFailure } from './failures.ts';

/** What SQLite throws for a statement. */
function thrownBy(sql: string): Error {
  const database = new DatabaseSync(':memory:');
  try {
    database.exec(sql);
  } catch (thrown) {
    if (thrown instanceof Error) return thrown;
  } finally {
    database.close();
  }
  return expect.fail('The statement works.');
}

const withModule = (name: string) => thrownBy(`CREATE VIRTUAL TABLE words USING ${name} (text)`);
const otherLayout = { hasLayout: () => false };

test('a runtime without full-text search is reported as such, and not as damage that a repair would remove', () => {
  const missing = withModule('absent');
  missing.message = missing.message.replace('absent', 'fts5');
  expect(storeFailure(missing, 'index.sqlite', otherLayout)).toMatchObject({ code: 'requirement-missing' });
});

test('a statement that a sound index refuses is a defect, and damage where the layout is not the expected one', () => {
  const refused = withModule('absent');
  expect(storeFailure(refused, 'index.sqlite', otherLayout)).toMatchObject({ code: 'store-corrupt' });
  expect(storeFailure(refused, 'index.sqlite', { hasLayout: () => true })).toMatchObject({
    code: 'internal',
  });
});
