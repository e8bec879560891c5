import { expect, test } from 'vitest';
import type { SourceFile } from '../contracts/source.ts';
import type { ManifestEntry } from '../contracts/store.ts';
import type { SkippedPath } from '../core/events.ts';
import { planRun } from './plan.ts';

const file = (uri: string): SourceFile => ({ uri, size: 4, modifiedAt: 1 });
const skipped = (uri: string): SkippedPath => ({ uri, reason: 'unreadable', rule: 'no name' });
const entry = (uri: string, status: ManifestEntry['status'] = 'indexed'): ManifestEntry => ({
  uri,
  status,
  size: 4,
  modifiedAt: 1,
  contentHash: 'h',
  recipe: 'r',
  chunks: 1,
});

function plan(found: { files?: string[]; leftOut?: string[] }, entries: readonly ManifestEntry[]) {
  const { files = [], leftOut = [] } = found;
  const scan = {
    startedAt: 0,
    isPartial: false,
    files: files.map(file),
    skipped: leftOut.map(skipped),
    troubles: [],
  };
  const remembered = {
    manifest: new Map(entries.map((each) => [each.uri, each])),
    stored: new Set(entries.filter(({ status }) => status === 'indexed').map(({ uri }) => uri)),
    scannedAt: undefined,
  };
  return planRun(scan, remembered, { recipe: 'r', full: false });
}

test('nothing is gone where everything was met', () => {
  const met = { files: ['a', 'b'], leftOut: ['c'] };
  expect(plan(met, [entry('a'), entry('b'), entry('c', 'skipped')])).toMatchObject({
    toDelete: [],
    toForget: [],
    unchanged: 2,
  });
});

test('what was not met is gone, with or without a document', () => {
  const entries = [entry('a'), entry('b', 'skipped'), entry('gone'), entry('lost', 'failed')];
  const { toDelete, toForget } = plan({ files: ['a'], leftOut: ['b'] }, entries);
  expect({ toDelete, toForget }).toEqual({ toDelete: ['gone'], toForget: ['lost'] });
  // As many paths as before, but not the same ones.
  expect(plan({ files: ['a', 'new'] }, [entry('a'), entry('gone')]).toDelete).toEqual(['gone']);
});

test('what another recipe left out is read again, and what it cut is left to be cut again with its vectors', () => {
  const files = [file('indexed'), file('skipped')];
  const scan = { startedAt: 0, isPartial: false, files, skipped: [], troubles: [] };
  const remembered = {
    manifest: new Map([
      ['indexed', entry('indexed')],
      ['skipped', entry('skipped', 'skipped')],
    ]),
    stored: new Set(['indexed']),
    scannedAt: undefined,
  };
  const read = (leaveStale: boolean) =>
    planRun(scan, remembered, { recipe: 'other', full: false, leaveStale }).toRead.map(({ uri }) => uri);
  expect([read(false), read(true)]).toEqual([['skipped'], []]);
});
