import { describe, expect, test } from 'vitest';
import { isMentioned, lookUp } from './path-mention.ts';

describe('a mention means', () => {
  test.each([
    ['a file by the end of its path', 'foo/index.ts', ['src/foo/index.ts'], ['src/foo/index.ts']],
    ['every file with this end', 'index.ts', ['index.ts', 'src/index.ts'], ['index.ts', 'src/index.ts']],
    ['the named file, not one of the same name above it', 'foo/a.ts', ['a.ts', 'foo/a.ts'], ['foo/a.ts']],
    ['of an absolute path the longest end', 'app/src/a.ts', ['a.ts', 'src/a.ts', 'x/a.ts'], ['src/a.ts']],
    ['nothing where only letters agree', 'a.ts', ['data.ts', 'src/data.ts'], []],
  ])('%s', (_, path, uris, meant) => {
    const [mention] = lookUp([{ path, line: 3 }], uris);
    expect(mention).toMatchObject({ path, line: 3 });
    expect(uris.filter((uri) => mention && isMentioned(uri, mention))).toEqual(meant);
  });
});
