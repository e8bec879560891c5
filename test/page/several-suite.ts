import { describe, expect, test } from 'vitest';
import { browserProgram, look } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

describe.skipIf(!browserProgram)('all projects in one search (needs chromium)', () => {
  const opened = sharedPage({ 'docs/winch.md': '# Winch\n\nThe winch of the harbour is greased in May.\n' });

  test('hits of all are one list, each is read in its own project, and one click leaves one of them', async () => {
    const { page, running } = opened();
    const other = await running.folder({
      'src/winch.ts':
        'export function turnWinch(times: number) {\n  return times * 3;\n}\n\nexport function lift() {\n  return turnWinch(4);\n}\n',
    });
    await running.client.request('POST', '/v1/projects', { id: 'cranes', folder: other });
    await running.client.call('cranes', 'index', {});
    await page.reload();
    await searchFor(page, 'winch');
    const found = () => page.locator('.hit .citation').allTextContents();
    await soon(async () => (await found()).at(0)).toBe('docs/winch.md:1-3');
    expect(await page.locator('.hit', { hasText: 'winch.ts' }).count()).toBe(0);
    await page.getByRole('button', { name: 'All projects' }).click();
    await page.locator('.hit', { hasText: 'winch.ts' }).first().waitFor();
    await look(page, 'search-all-projects');
    await page.locator('.hit', { hasText: 'turnWinch' }).first().click();
    const pane = page.locator('.pane');
    await soon(() => pane.textContent()).toContain('return times * 3');
    await pane.getByRole('button', { name: 'Callers' }).click();
    await soon(() => page.getByRole('region', { name: 'Called by' }).textContent()).toContain('turnWinch(4)');
    // A verdict is one of the questions of the project that is shown.
    expect(await pane.getByText('Was this it?').count()).toBe(0);
    expect(decodeURIComponent(page.url())).toContain('hit=cranes:src/winch.ts');
    // A link to it leads there again.
    await page.reload();
    await soon(() => pane.textContent()).toContain('return times * 3');
    await page.getByRole('button', { name: 'Copy as a command' }).click();
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe('quarry search winch --all');
    await page.getByRole('button', { name: /^Project cranes: \d+$/ }).click();
    await soon(() => page.locator('.hit', { hasText: 'winch.md' }).count()).toBe(0);
    await page.getByRole('button', { name: 'Remove the filter projects: cranes' }).click();
    await soon(() => page.locator('.hit', { hasText: 'winch.ts' }).count()).toBe(0);
    expect(await found()).toContain('docs/winch.md:1-3');
  });

  test('a question is answered from all of them, and its source opens where it is', async () => {
    const { page } = opened();
    await page.getByRole('button', { name: 'All projects' }).click();
    await page.getByRole('searchbox').fill('When is the winch of the harbour greased?');
    const card = page.getByRole('region', { name: 'Answer' });
    await soon(() => card.locator('.answer').textContent()).toContain('greased in May');
    await card.locator('.chip').first().click();
    await soon(() =>
      page.getByRole('region', { name: 'Source in its file' }).locator('mark').allTextContents(),
    ).toEqual(['The winch of the harbour is greased in May.']);
  });
});
