import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, test } from 'vitest';
import { browserProgram } from './browser.ts';
import { hostilePdfs, type Outcome } from './hostile-pdfs.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

const sample = readFileSync(new URL('../fixtures/pictures/harbour.jp2', import.meta.url));
const files = hostilePdfs(sample);

/** What is said of each; a busy machine may take too long for any. */
const said: Readonly<Record<Outcome, RegExp>> = {
  'without the picture': /A picture on this page is not drawn, or not whole|it takes too long to draw/,
  'as text': /As text: it takes too long to draw/,
  'as it is': /As it is written|it takes too long to draw/,
};

describe.skipIf(!browserProgram)('small PDFs that want much (needs chromium)', () => {
  const opened = sharedPage({ 'notes/lamp.md': '# Lamp\n\nThe lamp is lit at dusk.\n' });

  test('a dozen of them: the page stays alive, and says of each why it is not drawn when its twenty seconds are over', async () => {
    const { page, folder, id, running } = opened();
    for (const [name, [pdf]] of Object.entries(files)) await writeFile(join(folder, `${name}.pdf`), pdf);
    await running.client.call(id, 'index', {});
    for (const [name, [, outcome]] of Object.entries(files)) {
      await searchFor(page, `${name}.pdf`);
      await page.locator(`.hit[aria-label*=": ${name}.pdf"]`).first().click();
      await soon(() => page.locator('.pane h2').textContent()).toContain(`${name}.pdf`);
      await soon(() => page.locator('.pane').textContent()).not.toContain('Drawing…');
      await soon(() => page.locator('.pane').textContent()).toMatch(said[outcome]);
    }
    await searchFor(page, 'when is the lamp lit');
    await page.locator('.hit', { hasText: 'lamp.md' }).first().click();
    await soon(() => page.locator('.pane').textContent()).toContain('lit at dusk');
  });
});
