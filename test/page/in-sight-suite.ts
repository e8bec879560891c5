import { describe, expect, test } from 'vitest';
import { browserProgram } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

const club = (name: string): string =>
  `# ${name}\n\nThe regatta of the ${name} has six skiffs.\n\nThe dinner is at eight.\n\nEvery regatta ends at the jetty.\n`;
const files: Record<string, string> = {
  'quarry.toml': '[search]\ntop_k = 10\n',
  'mail/old.eml':
    'From: Ada <ada@x.example>\nDate: Tue, 01 Feb 2022 08:00:00 +0000\nSubject: The old jetty\n\nThe old jetty is closed.\n',
  'src/regatta.ts':
    'import { skiffs } from "./skiffs.ts";\n\n/** Starts the regatta. */\nexport function startRegatta() {\n  const regatta = skiffs();\n  regatta.start();\n  return regatta;\n}\n',
};
for (const name of ['north', 'south', 'east', 'west', 'lake', 'river', 'harbour', 'canal'])
  files[`papers-of-the-${name}-club-since-1908/${name}.md`] = club(name);

describe.skipIf(!browserProgram)('what is in sight (needs chromium)', () => {
  const opened = sharedPage(files);
  const desk = { width: 1280, height: 800 };
  const phone = { width: 390, height: 844 };
  const edge = (selector: string, side: 'top' | 'bottom' | 'left' | 'right') =>
    opened().page.evaluate<number>(
      `(() => { const all = [...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => each.getBoundingClientRect().${side});
        return ${side === 'top' || side === 'left' ? 'Math.min' : 'Math.max'}(...all); })()`,
    );

  /** The height of a line of text there, whatever fonts the machine has. */
  const lineOf = (selector: string) =>
    opened().page.evaluate<number>(
      `parseFloat(getComputedStyle(document.querySelector(${JSON.stringify(selector)})).lineHeight)`,
    );
  /** How much is between the lower edge of one and the upper edge of another. */
  const between = async (above: string, below: string) =>
    (await edge(below, 'top')) - (await edge(above, 'bottom'));

  test("before a question it is said that old mail is left out, with the way to take it in, and Quarry's own folder is not counted", async () => {
    const { page } = opened();
    const said = page.locator('.beginning .state');
    await soon(() => said.textContent()).toMatch(/1 file is left out, whole or in part, for being old/);
    expect(await said.textContent()).not.toMatch(/made by a build|own files/);
    await said.getByRole('link', { name: 'Search older ones too' }).click();
    await page.getByLabel('max_age_days', { exact: true }).waitFor();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
  });

  test('the first hit begins one line below the box, however many ways there are to narrow down', async () => {
    const { page } = opened();
    await page.setViewportSize(desk);
    await searchFor(page, 'regatta');
    await page
      .getByRole('button', { name: /^Folder / })
      .first()
      .waitFor();
    // One line between the box and the hits, and nothing but the menu above the box.
    expect(await between('.query', '.hit')).toBeLessThan(2 * (await lineOf('.summary')));
    expect(await between('.bar', '.query')).toBeLessThan((await lineOf('.summary')) / 2);
    expect(await edge('.hit', 'top')).toBeLessThan(desk.height / 5);
    // Where the line ends, no name of a facet stands without what it is about.
    for (const width of [1280, 1180, 1080]) {
      await page.setViewportSize({ ...desk, width });
      const alone = `(() => {
        const { right, bottom } = document.querySelector('.facets').getBoundingClientRect();
        return [...document.querySelectorAll('.facet-start')].filter((start) => {
          const name = start.firstElementChild.getBoundingClientRect();
          return name.top < bottom && start.lastElementChild.getBoundingClientRect().right > right + 1;
        }).length;
      })()`;
      expect(await page.evaluate(alone), `${width} pixels`).toBe(0);
    }
    await page.setViewportSize(desk);
    // All that narrows down is a click away.
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await soon(() => edge('.facet button', 'bottom')).toBeLessThan(await edge('.hit', 'top'));
    await page.getByRole('button', { name: 'Less', exact: true }).click();
  });

  test('a hit shows up to three lines that match and differ, with their numbers', async () => {
    const { page } = opened();
    const lines = page.locator('.hit', { hasText: 'regatta.ts' }).locator('.best-line');
    await soon(() => lines.allTextContents()).toEqual([
      expect.stringMatching(/^\d .*egatta/),
      expect.stringMatching(/^\d .*egatta/),
      expect.stringMatching(/^\d .*egatta/),
    ]);
    expect(new Set(await lines.allTextContents()).size).toBe(3);
  });

  test('on a phone every view is in the menu, and the fields of the filters leave most of the screen to the hits', async () => {
    const { page } = opened();
    await page.setViewportSize(phone);
    expect(await edge('.bar nav a', 'right')).toBeLessThanOrEqual(phone.width);
    expect(await edge('.bar nav a', 'left')).toBeGreaterThanOrEqual(0);
    // Of what narrows down one line is shown, which is pushed to the side for the rest.
    expect(await between('.search', '.hit')).toBeLessThan(2 * (await lineOf('.summary')));
    expect(await edge('.hit', 'top')).toBeLessThanOrEqual(phone.height / 3);
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByRole('combobox', { name: 'Since' }).waitFor();
    expect(await edge('.hit', 'top')).toBeLessThanOrEqual(phone.height * 0.45);
    await page.getByRole('button', { name: 'Filters' }).click();
    // With filters that are set the line is longer, the page no wider, and the hits are where they were.
    const top = await edge('.hit', 'top');
    await searchFor(page, 'regatta since:1y -in:src');
    await page.getByRole('button', { name: 'Remove the filter path: not src' }).waitFor();
    await soon(() => page.locator('.facets[aria-busy="false"] .facet').count()).toBeGreaterThan(0);
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0);
    expect(Math.abs((await edge('.hit', 'top')) - top)).toBeLessThan(2);
    await searchFor(page, 'regatta');
    // Of a long path the folder is cut, and neither the name of the file nor its lines.
    const cut = (selector: string) =>
      page.evaluate<number>(
        `[...document.querySelectorAll(${JSON.stringify(selector)})].filter((each) => each.scrollWidth > each.clientWidth).length`,
      );
    expect(await cut('.hit .citation .folder')).toBeGreaterThan(0);
    expect(await cut('.hit .citation :is(b, .place)')).toBe(0);
    // The query leaves the way to clear it beside it, and the ways to search are whole in their line.
    expect(await edge('.filters > button', 'right')).toBeLessThanOrEqual(phone.width);
    expect((await edge('.filters > button', 'bottom')) - (await edge('.filters .ways', 'top'))).toBeLessThan(
      48,
    );
    await page.setViewportSize(desk);
  });

  test('where nothing was measured yet, Evaluation proposes questions with what is found first, and a verdict makes one of them a question of the reader', async () => {
    const { page } = opened();
    await page.setViewportSize(desk);
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('link', { name: 'Evaluation' }).click();
    const proposed = page.locator('.judge-now li');
    await soon(() => proposed.first().textContent()).toMatch(/regatta.*\.(?:md|ts)/s);
    expect(await edge('main > *, main .card', 'bottom')).toBeGreaterThan(desk.height * 0.8);
    expect(await edge('main', 'right')).toBeGreaterThan(desk.width * 0.95);
    await page.getByRole('button', { name: 'Yes, it answers: regatta', exact: true }).click();
    await soon(() => page.locator('.own-questions').textContent()).toMatch(/1 question with an answer/);
    expect(await page.getByRole('button', { name: 'Yes, it answers: regatta', exact: true }).count()).toBe(0);
    // On a phone what removes it stands beside it, at the edge.
    await page.setViewportSize(phone);
    const removes = '.own-questions li .icon';
    expect(await edge(removes, 'right')).toBeGreaterThan(phone.width - 30);
    expect(await edge(removes, 'top')).toBeLessThan(await edge('.own-questions li a', 'bottom'));
    await page.setViewportSize(desk);
  });

  test('Status uses the width of a desk, and names what changed last', async () => {
    const { page } = opened();
    await page.getByRole('link', { name: 'Status' }).click();
    await soon(() => page.locator('.recent a').count()).toBe(6);
    expect(await edge('.left-out', 'right')).toBeGreaterThan(desk.width * 0.95);
    expect(await edge('.status-parts > *', 'bottom')).toBeGreaterThan(desk.height * 0.65);
    await page.locator('.recent a').first().click();
    await soon(() => page.locator('.virtual-list li').count()).toBe(1);
  });

  test('every view begins at the same edge, and no sign of a line that is cut is coloured by a mark', async () => {
    const { page } = opened();
    const heights: number[] = [];
    for (const view of ['Ask', 'Status', 'Evaluation', 'Settings', 'Projects']) {
      await page.getByRole('link', { name: view, exact: true }).click();
      await page.getByRole('heading', { level: 1 }).waitFor();
      await soon(() => page.locator('.bar [aria-current]').textContent()).toBe(view);
      expect(await edge('main h1', 'left'), view).toBeLessThan(40);
      heights.push(await edge('main h1', 'top'));
    }
    // With buttons beside it or without them, the name of a view stands at one height.
    expect(Math.max(...heights) - Math.min(...heights)).toBeLessThan(1.5);
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await searchFor(page, 'regatta');
    await page.locator('.best-line').first().waitFor();
    const ends = `getComputedStyle(document.querySelector('.best-line')).textOverflow`;
    expect(await page.evaluate(ends)).toBe('clip');
  });

  test('of all settings a dozen are in the first picture after a letter, the others in those that follow', async () => {
    const { page } = opened();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByLabel('What is in this folder?').waitFor();
    const first = await page.evaluate<number>(`new Promise((resolve) => {
      const box = document.querySelector('.list-bar input[type=search]');
      box.value = 'e';
      box.dispatchEvent(new InputEvent('input', { bubbles: true }));
      requestAnimationFrame(() => resolve(document.querySelectorAll('.setting').length));
    })`);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(20);
    await soon(() => page.locator('.setting').count()).toBeGreaterThan(40);
  });
});
