import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { referencePages } from '../scripts/reference.ts';

const folder = new URL('../docs/reference/', import.meta.url);

test('the reference pages are what the declarations say (update with: npm run reference)', async () => {
  const pages = await referencePages();
  expect(readdirSync(folder).sort()).toEqual(Object.keys(pages).sort());
  for (const [name, text] of Object.entries(pages)) {
    expect(readFileSync(new URL(name, folder), 'utf8'), name).toBe(text);
  }
});
