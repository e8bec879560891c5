import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pathScope } from './path-scope.ts';

const segment = fc.constantFrom('a', 'b', 'ab', 'c.md');
const path = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'));

describe('a part of a tree', () => {
  test('holds its paths and what is below them, and nothing beside them', () => {
    const scope = pathScope(['docs/guide', 'a.md']);
    expect(['docs/guide', 'docs/guide/', 'docs/guide/x/y.md', 'a.md'].every((uri) => scope?.holds(uri))).toBe(
      true,
    );
    expect(['docs', 'docs/', 'docs/guides', 'docs/a.md', 'b.md', ''].some((uri) => scope?.holds(uri))).toBe(
      false,
    );
  });

  test('is reached through the folders above its paths alone', () => {
    const scope = pathScope(['docs/guide/x.md']);
    expect(['', 'docs/', 'docs/guide/'].every((folder) => scope?.leadsInto(folder))).toBe(true);
    expect(['docs/guide/x.md/', 'doc/', 'src/'].some((folder) => scope?.leadsInto(folder))).toBe(false);
  });

  test('is the whole tree where the folder itself is named', () => {
    for (const everything of ['', '.', './', '/']) expect(pathScope(['a.md', everything])).toBeUndefined();
    expect(pathScope(['./docs/'])?.holds('docs/a.md')).toBe(true);
  });

  test('is nothing where no path is named', () => {
    expect(pathScope([])?.holds('a.md')).toBe(false);
    expect(pathScope([])?.leadsInto('docs/')).toBe(false);
  });

  test('can be reached for every path it holds', () => {
    fc.assert(
      fc.property(fc.array(path, { minLength: 1 }), path, (paths, uri) => {
        const scope = pathScope(paths);
        const expected = paths.some((chosen) => uri === chosen || uri.startsWith(`${chosen}/`));
        expect(scope?.holds(uri)).toBe(expected);
        const folder = `${uri}/`;
        expect(scope?.leadsInto(folder)).toBe(paths.some((chosen) => chosen.startsWith(folder)));
      }),
    );
  });
});
