import { expect, test } from 'vitest';
import { hidePlaces } from './hide-places.ts';

const places = [
  { folder: '/srv/docs', name: 'docs' },
  { folder: '/home/ann', name: '~' },
];

test('folders of the server have their names instead, also within a sentence, and texts stay as they are', () => {
  const result = {
    folder: '/srv/docs',
    files: ['/srv/docs/a.md', 'a.md', '/srv/docs-other/a.md', '/srv/docs.old/a.md'],
    hits: [{ path: 'a.md', text: '/srv/docs is the folder', count: 3, none: null }],
    warnings: [{ message: 'Cannot write "/home/ann/.cache/quarry/v.db" for /srv/docs.' }],
  };
  expect(hidePlaces(result, places)).toEqual({
    folder: 'docs',
    files: ['docs/a.md', 'a.md', '/srv/docs-other/a.md', '/srv/docs.old/a.md'],
    hits: [{ path: 'a.md', text: '/srv/docs is the folder', count: 3, none: null }],
    warnings: [{ message: 'Cannot write "~/.cache/quarry/v.db" for docs.' }],
  });
});

test('a home that is the root of the disk hides nothing, and signs of a pattern are only signs', () => {
  expect(hidePlaces(['/etc/x'], [{ folder: '/', name: '~' }])).toEqual(['/etc/x']);
  expect(hidePlaces(['in C:\\a(b+\\x'], [{ folder: 'C:\\a(b+', name: 'p' }])).toEqual(['in p\\x']);
});
