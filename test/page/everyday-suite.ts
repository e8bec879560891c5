import { readdir, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { addOperation } from '../../src/operations/index/content.ts';
import { resultOf } from '../../src/platform/streams.ts';
import { openProject } from '../../src/project/open-project.ts';
import { browserProgram, look } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

const lockers = Array.from({ length: 40 }, (_, number) => `- Locker ${number} holds a rope.`);
const files = {
  // The whole list is one passage.
  'quarry.toml': '[embedder]\ndriver = "hashing"\n\n[chunking]\nsizes = "characters"\ncharacters = 5000\n',
  'lockers.md': `# Lockers\n\n${lockers.join('\n')}\n- The spare key of the boat house hangs behind the anchor.\n`,
  'storm.md': '# Storm\n\nAll boats return when the wind is strong.\n',
};

describe.skipIf(!browserProgram)('the page day by day (needs chromium)', () => {
  const opened = sharedPage(files);
  const open = (view: string) => opened().page.getByRole('link', { name: view, exact: true }).click();
  const focused = () => opened().page.evaluate('document.activeElement.name');

  test('keys lead from any view to any other, and the browser leads back', async () => {
    const { page } = opened();
    await searchFor(page, 'strong wind');
    await page.locator('.hit').first().waitFor();
    await page.locator('.hit').first().focus();
    for (const [letter, heading] of [
      ['t', /^Indexed/],
      ['a', /^Ask$/],
      ['m', /^Map$/],
      ['v', /^Evaluation$/],
      ['e', /^Settings$/],
      ['p', /^Projects$/],
    ] as const) {
      // The second key counts only right after the first: a busy machine may be too slow for that once.
      await soon(async () => {
        await page.keyboard.press('g');
        await page.keyboard.press(letter);
        return page.getByRole('heading', { level: 1, name: heading }).count();
      }).toBe(1);
    }
    await page.keyboard.press('/');
    await soon(focused).toBe('query');
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
    const goneBack = async () => {
      await page.goBack();
      return page.url();
    };
    await soon(goneBack).toContain('query=strong');
    await soon(() => page.getByRole('searchbox').inputValue()).toBe('strong wind');
    await page.locator('.hit').first().waitFor();
    await page.goForward();
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
  });

  test('on a narrow screen the list opens the passage, and the passage leads back', async () => {
    const { page } = opened();
    await open('Search');
    await searchFor(page, 'strong wind');
    await page.locator('.hit').first().waitFor();
    const size = page.viewportSize() ?? { width: 1280, height: 900 };
    await page.setViewportSize({ width: 390, height: 800 });
    const pane = page.locator('.pane');
    if (await pane.isVisible()) await pane.getByRole('button', { name: 'Back to the list' }).click();
    await soon(() => pane.isVisible()).toBe(false);
    await page.locator('.hit').first().click();
    await soon(() => pane.isVisible()).toBe(true);
    expect(await page.locator('.hit').first().isVisible()).toBe(false);
    await pane.getByRole('button', { name: 'Back to the list' }).click();
    await soon(() => page.locator('.hit').first().isVisible()).toBe(true);
    await page.setViewportSize(size);
  });

  test('the theme is chosen by the reader, kept, and the same in all tabs', async () => {
    const { running, context, page } = opened();
    const shade = (tab: typeof page) => tab.evaluate('getComputedStyle(document.body).backgroundColor');
    const other = await context.newPage();
    await other.goto(running.url);
    const light = await shade(page);
    const button = page.getByRole('button', { name: /^Theme/ });
    await button.click();
    expect(await shade(page)).toBe(light);
    await button.click();
    await soon(() => shade(page)).not.toBe(light);
    const dark = await shade(page);
    await soon(() => shade(other)).toBe(dark);
    await page.reload();
    await soon(() => shade(page)).toBe(dark);
    await button.click();
    await soon(() => shade(other)).toBe(light);
    await other.close();
  });

  test('a source opens at the sentence that an answer rests on, in a passage that is longer than the screen', async () => {
    const { page } = opened();
    await open('Ask');
    await page.getByLabel('Question').fill('Where does the spare key of the boat house hang?');
    await page.getByLabel('Question').press('Enter');
    await soon(() => page.locator('.answer').textContent()).toMatch(/behind the anchor/);
    await page.setViewportSize({ width: 1280, height: 500 });
    await page.locator('.chip').first().click();
    await soon(() => page.locator('dialog.passage .line.is-lit').count()).toBeGreaterThan(30);
    const isInSight = `(() => {
      const text = document.querySelector('dialog.passage .code').getBoundingClientRect();
      const lines = [...document.querySelectorAll('dialog.passage .line')];
      const line = lines.find(({ textContent }) => textContent.includes('spare key')).getBoundingClientRect();
      return line.top >= text.top && line.bottom <= Math.min(text.bottom, innerHeight);
    })()`;
    await soon(() => page.evaluate(isInSight)).toBe(true);
    await look(page, 'ask-long-source');
    await page.keyboard.press('Escape');
  });

  test('a map is drawn while it moves, and not only when it has come to rest', async () => {
    const { page } = opened();
    await open('Map');
    await page.getByText('similar ones lie together').waitFor();
    const drawn = await page.evaluate(`new Promise((resolve) => {
      const context = WebGL2RenderingContext.prototype, { drawElements } = context;
      let [calls, pictures] = [0, 0];
      context.drawElements = function (...words) { calls += 1; return drawElements.apply(this, words); };
      const move = () => {
        document.querySelector('.map canvas').dispatchEvent(new WheelEvent('wheel', { deltaY: -5, cancelable: true }));
        pictures += 1;
        if (pictures < 20) return requestAnimationFrame(move);
        context.drawElements = drawElements;
        resolve(calls);
      };
      requestAnimationFrame(move);
    })`);
    expect(drawn).toBeGreaterThan(5);
  });

  test('a file that failed is listed with its reason, and can be filtered', async () => {
    const { running, id, folder, page } = opened();
    const project = await openProject(folder);
    for (const uri of ['talk.md', 'walk.md']) {
      const input = addOperation.input.parse({ file: join(folder, 'storm.md'), uri });
      await resultOf(addOperation.run(project, input, {}));
    }
    await project.close();
    const kept = join(folder, '.quarry-added');
    for (const name of await readdir(kept)) if (name.endsWith('.txt')) await truncate(join(kept, name), 225);
    await running.client.call(id, 'index', { full: true });
    await open('Status');
    // What failed is what a reader has to know first.
    const failed = page.getByRole('radio', { name: 'Not readable 2' });
    await soon(() => failed.isChecked()).toBe(true);
    const list = page.locator('.long-list');
    await soon(() => list.textContent()).toMatch(/virtual:talk\.md.*file-unreadable.*is damaged in/s);
    await look(page, 'status-failed');
    await page.getByLabel('Filter the list').fill('walk');
    await soon(() => list.locator('li').count()).toBe(1);
    expect(await list.textContent()).toContain('virtual:walk.md');
    await page.getByLabel('Filter the list').fill('');
  });

  test('ten thousand files of a glob are a list of which some are drawn', async () => {
    const { running, id, page } = opened();
    await page.route('**/manifest', async (route) => {
      const answer = await route.fetch();
      const frame = JSON.parse((await answer.text()).trim());
      const [first] = frame.result.entries;
      frame.result.entries = Array.from({ length: 10_000 }, (_, number) => ({
        ...first,
        path: `deep/file-${number}.md`,
      }));
      await route.fulfill({ response: answer, body: `${JSON.stringify(frame)}\n` });
    });
    await page.goto(`${running.url}/#/${id}/search?path=**`);
    await page.getByText('10,000 files pass the filters').waitFor();
    const rows = page.locator('.virtual-list li');
    await page.evaluate('scrollTo(0, document.body.scrollHeight)');
    await soon(() => rows.last().textContent()).toContain('file-9999.md');
    expect(await rows.count()).toBeLessThan(120);
    await page.unroute('**/manifest');
  });

  test('a run says how fast it is and when it will be done, and a slow answer is not asked for twice', async () => {
    const { running, context, id } = opened();
    const tab = await context.newPage();
    // The time of this tab is told by the test.
    await tab.clock.install();
    let [asked, answered] = [0, 0];
    let held: Promise<void> | undefined;
    await tab.route('**/v1/jobs', async (route) => {
      asked += 1;
      const progress = {
        phase: 'embedding',
        text: 'Embedding',
        done: asked * 10,
        total: 1000,
        unit: 'chunks',
      };
      const job = { id: 'j', project: id, operation: 'index', state: 'running', started_at: '', progress };
      await held;
      await route.fulfill({ json: { jobs: [job] } });
      answered += 1;
    });
    await tab.goto(`${running.url}/#/${id}/status`);
    const card = () => tab.locator('.job').textContent();
    await soon(card).toMatch(/Embedding: \d+0 of 1,000 chunks/);
    const later = async () => {
      await tab.clock.runFor(700);
      return card();
    };
    await soon(later).toMatch(/\d+ a second, \d.* left/);
    const { promise, resolve: release } = Promise.withResolvers<void>();
    held = promise;
    for (let pause = 0; pause < 10; pause += 1) await later();
    expect(asked - answered).toBeLessThanOrEqual(1);
    const before = await card();
    release();
    await soon(later).not.toBe(before);
    await tab.close();
  });
});
