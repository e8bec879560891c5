import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { compileInclusion } from '../rules/inclusion.ts';
import { createListing, type ExamineContext, examineEntry } from './examine-entry.ts';
import { Pace } from './pace.ts';

const context: ExamineContext = {
  storeFolders: new Set(),
  settings: { useGitignore: true, ignoreCase: false, defaultSkips: true, exclude: [] },
  inclusion: compileInclusion([]),
  maxFileBytes: () => 10,
  maxBytesOfAnyFormat: 5,
  roots: [],
};

/** A clock by which every look takes far too long. */
function slowClock(): () => number {
  let time = 0;
  return () => {
    time += 1000;
    return time;
  };
}

test('finds the same, whether the system answers at once or has to be waited for', async () => {
  const folder = await temporaryFolder({
    'empty.md': '',
    'gone.md': 'text',
    'large.md': 'more than ten bytes',
    'plain.md': 'text',
    '.env': 'SECRET=1',
    'sub/inner.md': 'text',
  });
  const entries = readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  rmSync(join(folder, 'gone.md'));
  const rules = { git: [], quarry: [] };
  const listing = createListing({ absolute: folder, uri: '', path: '', rules }, entries);
  const slow = new Pace(slowClock());
  await slow.look(folder);
  const direct = entries.map((entry) => examineEntry(entry, listing, new Pace(() => 0), context));
  const aside = entries.map((entry) => examineEntry(entry, listing, slow, context));
  expect(direct.some((finding) => finding instanceof Promise)).toBe(false);
  expect(aside.filter((finding) => finding instanceof Promise)).toHaveLength(4);
  expect(await Promise.all(aside)).toEqual(direct);
  const reasons = direct.map((finding) =>
    finding && 'skipped' in finding ? finding.skipped.reason : finding && 'kind' in finding && finding.kind,
  );
  expect(reasons).toEqual(['secret-file', 'empty', 'unreadable', 'too-large', 'file', 'folder']);
});

test('asks for the limit of a file only where it has more than any format may have', async () => {
  const folder = await temporaryFolder({ 'small.md': 'five!', 'larger.md': 'six!!!' });
  const entries = readdirSync(folder, { withFileTypes: true });
  const listing = createListing(
    { absolute: folder, uri: '', path: '', rules: { git: [], quarry: [] } },
    entries,
  );
  const asked: string[] = [];
  const maxFileBytes = (uri: string) => {
    asked.push(uri);
    return 10;
  };
  for (const entry of entries)
    expect(examineEntry(entry, listing, new Pace(() => 0), { ...context, maxFileBytes })).toMatchObject({
      kind: 'file',
    });
  expect(asked).toEqual(['larger.md']);
});
