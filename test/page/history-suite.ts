import { describe, expect, test } from 'vitest';
import { gitIn } from '../../src/drivers/sources/history/scratch-repository.fixture.ts';
import { openProject } from '../../src/project/open-project.ts';
import { browserProgram, look } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

const files = {
  'fees.ts': 'export function harbourFees(days: number) {\n  return Math.floor(days * 3);\n}\n',
};

describe.skipIf(!browserProgram)('the history beside a hit (needs chromium)', () => {
  const opened = sharedPage(files);

  test('says how to allow it, then names the commits that wrote what is shown, and opens one', async () => {
    const { page, folder } = opened();
    gitIn(folder, ['init', '-q', '-b', 'main']);
    gitIn(folder, ['add', 'fees.ts']);
    gitIn(folder, ['commit', '-q', '-m', 'Harbour fees are rounded down\n\nThe mayor asked for it.']);
    await searchFor(page, 'harbourFees');
    await page.locator('.hit', { hasText: 'fees.ts' }).first().click();
    const history = page.getByRole('button', { name: 'History' });
    await history.click();
    await soon(() => page.locator('.pane').textContent()).toContain('quarry index --history');

    const project = await openProject(folder);
    await project.history.allow(true);
    for await (const _ of project.index());
    await project.close();
    await history.click();
    await history.click();
    const commit = page.getByRole('button', { name: 'Harbour fees are rounded down' });
    await commit.waitFor();
    await look(page, 'history');
    await commit.click();
    await soon(() => page.locator('.pane').textContent()).toContain('The mayor asked for it.');
    expect(await page.locator('.pane h2').textContent()).toContain('commit:');
  });
});
