import { expect, test } from 'vitest';
import { hideFolder } from './hide-folder.ts';

test('paths below the folder of a project begin with its name instead, and texts stay as they are', () => {
  const result = {
    folder: '/srv/docs',
    files: ['/srv/docs/a.md', 'a.md', '/srv/docs-other/a.md'],
    hits: [{ path: 'a.md', text: '/srv/docs is the folder', count: 3, none: null }],
  };
  expect(hideFolder(result, '/srv/docs', 'docs')).toEqual({
    folder: 'docs',
    files: ['docs/a.md', 'a.md', '/srv/docs-other/a.md'],
    hits: [{ path: 'a.md', text: '/srv/docs is the folder', count: 3, none: null }],
  });
});
