import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

test('no view has styles for a name of another one: they stay when the reader goes on to that', () => {
  const owners = new Map<string, Set<string>>();
  for (const file of globSync('*/**/*.css', { cwd: root })) {
    const folder = dirname(file);
    // What all views share may be refined by any.
    if (folder === 'style') continue;
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*.*?\*\//gs, '');
    for (const [, selectors = ''] of text.matchAll(/([^{}@;]+)\{/g))
      for (const selector of selectors.split(','))
        if (/^\.[\w-]+$/.test(selector.trim()))
          owners.set(selector.trim(), (owners.get(selector.trim()) ?? new Set()).add(folder));
  }
  const shared = [...owners].filter(([, folders]) => folders.size > 1).map(([name]) => name);
  expect(owners.size).toBeGreaterThan(100);
  expect(shared).toEqual([]);
});
