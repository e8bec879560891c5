import { describe, expect, test } from 'vitest';
import { browserProgram, look } from './browser.ts';
import { corpus } from './corpus.ts';
import { answered, searchFor, sharedPage, soon } from './open-page.ts';

/** The first parts of paths, each once. */
const foldersOf = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('/')[0]))];

describe.skipIf(!browserProgram)('finding, asking and reading in one place (needs chromium)', () => {
  const opened = sharedPage(corpus);

  test('a question is answered above the hits, and a citation opens beside them with its sentence marked', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').fill('When do all boats return to the jetty?');
    const card = page.getByRole('region', { name: 'Answer' });
    await soon(() => card.textContent()).toMatch(/force five.*No model wrote this/s);
    await look(page, 'search-answer');
    // What is quoted is short: there is nothing to unfold.
    expect(await card.getByRole('button', { name: 'All of it' }).count()).toBe(0);
    await card.locator('.chip').first().click();
    const source = page.getByRole('region', { name: 'Source in its file' });
    await soon(() => source.locator('mark').allTextContents()).toEqual([
      'When the wind is above force five, all boats return to the jetty.',
    ]);
    expect(await source.locator('h2').textContent()).toContain('docs/safety.md');
    await look(page, 'search-source');
    await source.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('region', { name: 'Hit 1 in its file' }).waitFor();
    // Words that are no question are asked by a key.
    await page.getByRole('searchbox').fill('life jacket children');
    await soon(() => card.count()).toBe(0);
    await page.getByRole('searchbox').press('Control+Enter');
    await soon(() => card.textContent()).toMatch(/life jacket/);
    await card.getByRole('link', { name: 'Ask further' }).click();
    await soon(() => page.locator('.turns h2').textContent()).toBe('life jacket children');
    await soon(() => page.locator('.turns .answer').textContent()).toMatch(/life jacket/);
    await page.getByRole('button', { name: 'Forget these questions' }).click();
    await page.getByRole('button', { name: 'Forget them for good' }).click();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
  });

  test('a long answer shows its first lines above the hits, and all of it on a click', async () => {
    const { page } = opened();
    const said = 'The lamp on the jetty is lit at dusk by whoever leaves last. '.repeat(12).trim();
    await page.route('**/ask', async (route) => {
      const response = await route.fetch();
      const text = await response.text();
      // What a small corpus answers is short: each sentence is made long on its way.
      await route.fulfill({
        response,
        body: text.replaceAll('The lamp on the jetty is lit at dusk by whoever leaves last.', said),
      });
    });
    try {
      await searchFor(page, 'when is the lamp on the jetty lit?');
      const card = page.getByRole('region', { name: 'Answer' });
      await card.getByRole('button', { name: 'All of it' }).waitFor();
      const seen = () =>
        page.evaluate<{ lines: number; hit: number }>(`(() => {
          const answer = document.querySelector('.answer-card .answer');
          return {
            lines: answer.clientHeight / parseFloat(getComputedStyle(answer).lineHeight),
            hit: document.querySelector('.hit').getBoundingClientRect().top / innerHeight,
          };
        })()`);
      expect((await seen()).lines).toBeLessThan(4.5);
      expect((await seen()).hit).toBeLessThan(0.4);
      await look(page, 'search-long-answer');
      await card.getByRole('button', { name: 'All of it' }).click();
      await soon(async () => (await seen()).lines).toBeGreaterThan(8);
      await card.getByRole('button', { name: 'Less of it' }).click();
      await soon(async () => (await seen()).lines).toBeLessThan(4.5);
    } finally {
      await page.unroute('**/ask');
    }
  });

  test('a line of a hit leads to itself in its file', async () => {
    const { page } = opened();
    await searchFor(page, 'reservation of a boat until');
    const line = page.locator('.hit', { hasText: 'booking.ts' }).locator('.best-line[data-line]').last();
    const number = await line.getAttribute('data-line');
    await line.click();
    const lit = page.locator('.pane .is-lit');
    await soon(() => lit.locator('.line-number').allTextContents()).toEqual([number]);
    const isInSight = () =>
      page.evaluate(`(() => {
        const [line, text] = ['.pane .is-lit', '.pane .code'].map((name) => document.querySelector(name).getBoundingClientRect());
        return line.top >= text.top && line.bottom <= text.bottom && line.bottom <= innerHeight;
      })()`);
    await soon(isInSight).toBe(true);
    // The rest of the hit leads to all that it is about.
    await page.locator('.hit', { hasText: 'booking.ts' }).locator('h2').click();
    await soon(() => lit.count()).toBeGreaterThan(1);
  });

  test('one key lists what can be done, typed words narrow it down, and Enter does it', async () => {
    const { page } = opened();
    await searchFor(page, 'reserveBoat');
    await page.getByRole('searchbox').press('Enter');
    await page.getByRole('searchbox').press('Control+k');
    const field = page.getByRole('combobox', { name: 'Action' });
    await field.waitFor();
    await look(page, 'palette');
    const chosen = () => page.locator('[role="option"][aria-selected="true"]').textContent();
    await field.fill('outline');
    await soon(chosen).toBe('Outline of the filei');
    expect(await field.getAttribute('aria-activedescendant')).toBe('palette-0');
    await field.press('Enter');
    await page.getByRole('list', { name: 'Outline of the file' }).waitFor();
    await page.keyboard.press('i');
    await page.keyboard.press('?');
    await field.fill('status');
    await field.press('ArrowDown');
    await soon(chosen).toBe('Search for “status”');
    await field.press('ArrowUp');
    await soon(chosen).toBe('Go to Statusg t');
    await field.press('Enter');
    await soon(() => page.url()).toContain('/status');
    // Where no hit is chosen nothing is offered that needs one.
    await page.keyboard.press('Control+k');
    await page.getByRole('option', { name: 'Go to Search' }).waitFor();
    expect(await page.getByRole('option', { name: 'Outline' }).count()).toBe(0);
    await page.getByRole('option', { name: 'Search again: reserveBoat' }).click();
    await answered(page);
    await soon(() => page.getByRole('searchbox').inputValue()).toBe('reserveBoat');
  });

  test('beside a hit are the outline of its file and who calls it, and each leads on and back', async () => {
    const { page } = opened();
    await searchFor(page, 'reserveBoat');
    await page.locator('.hit', { hasText: 'booking.ts' }).first().click();
    await page.keyboard.press('i');
    const outline = page.getByRole('list', { name: 'Outline of the file' });
    await soon(() => outline.getByRole('button').allTextContents()).toEqual(
      expect.arrayContaining(['reserveBoat', 'overlaps', 'Reservation']),
    );
    await soon(() => outline.locator('[aria-current]').textContent()).toBe('reserveBoat');
    await look(page, 'search-outline');
    await outline.getByRole('button', { name: 'overlaps' }).click();
    const place = page.getByRole('region', { name: 'Place in its file' });
    await soon(() => place.locator('.is-lit').first().textContent()).toMatch(/overlaps/);
    await place.getByRole('button', { name: 'Callers' }).click();
    const callers = page.getByRole('region', { name: 'Called by' });
    await soon(() => callers.textContent()).toMatch(/booking\.ts:\d+.*overlaps\(other, from, until\)/s);
    await look(page, 'search-callers');
    await place.getByRole('button', { name: 'Callers' }).click();
    await place.getByRole('button', { name: 'Back' }).click();
    await page.getByRole('region', { name: 'Hit 1 in its file' }).waitFor();
  });

  test('a hit that is chosen while a newer answer is on its way stays chosen, and a verdict is one on the question that it answers', async () => {
    const { page } = opened();
    const box = page.getByRole('searchbox');
    const chosen = () => page.locator('.hit[aria-current="true"] .citation').textContent();
    const pane = () => page.locator('.pane').textContent();
    /** Types on, acts on the hits of the question before, and only then lets the answer come. */
    const typeOn = async (query: string, act: () => Promise<void>) => {
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      const { promise: isAsked, resolve: asked } = Promise.withResolvers<void>();
      await page.route('**/search', async (route) => {
        asked();
        await released;
        await route.continue().catch(() => undefined);
      });
      try {
        await box.fill(query);
        await isAsked;
        await act();
      } finally {
        release();
        await answered(page);
        await page.unroute('**/search');
      }
    };
    const hit = (name: string) => page.locator('.hit', { hasText: name }).first();
    await searchFor(page, 'skiff price boat wind');
    expect(await chosen()).toContain('docs/prices.md');
    // It is among the newer hits, and not the first of them.
    await typeOn('boat prices, and wind force', async () => {
      await hit('safety.md').click();
      await page.keyboard.press('n');
      await soon(() => hit('safety.md').textContent()).toContain('not this');
    });
    await soon(chosen).toContain('docs/safety.md');
    expect(await page.locator('.hit .citation').first().textContent()).not.toContain('docs/safety.md');
    expect(await hit('safety.md').textContent()).not.toContain('not this');
    await soon(() => page.url()).toContain('hit=docs/safety.md');
    // It is not among them: the reader continues to read it.
    await page.getByLabel('How to search').selectOption('Exact text');
    await searchFor(page, 'boat');
    await typeOn('boat:', async () => {
      await hit('booking.ts').focus();
      await hit('safety.md').click();
    });
    await soon(() => page.locator('.hit .citation').allTextContents()).not.toContainEqual(
      expect.stringContaining('docs/safety.md'),
    );
    await soon(pane).toMatch(/docs\/safety\.md.*force five/s);
    // The next question begins again.
    await searchFor(page, 'boat');
    await soon(chosen).toBe(await page.locator('.hit .citation').first().textContent());
    await page.getByLabel('How to search').selectOption('Meaning and words');
    // An answer may be there before the hits: its source stays open.
    await searchFor(page, 'lamp');
    await typeOn('When do all boats return to the jetty?', () =>
      page.getByRole('region', { name: 'Answer' }).locator('.chip').first().click(),
    );
    await soon(() => page.locator('.pane mark').allTextContents()).toEqual([
      'When the wind is above force five, all boats return to the jetty.',
    ]);
  });

  test('what the hits have in common is counted, and one click narrows them down', async () => {
    const { page } = opened();
    // What the hits have in common is counted; one click narrows them down, and another one takes that back.
    await searchFor(page, 'boat');
    await page.getByRole('button', { name: /^Kind code: \d+$/ }).click();
    const found = () => page.locator('.hit .citation').allTextContents();
    await soon(async () => foldersOf(await found())).toEqual(['src']);
    expect(page.url()).toContain('type=code');
    await look(page, 'search-facets');
    await page.getByRole('button', { name: 'Copy as a command' }).click();
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe('quarry search boat --type code');
    await page.getByRole('button', { name: 'Remove the filter type: code' }).click();
    await page.getByRole('button', { name: /^Folder docs: \d+$/ }).click();
    await soon(async () => foldersOf(await found())).toEqual(['docs']);
    await page.getByRole('button', { name: 'Remove the filter in: docs' }).click();
  });

  test('what narrows down may be typed: it is shown as if it were chosen, and a click takes it out of the text', async () => {
    const { page } = opened();
    const box = page.getByRole('searchbox');
    const found = () => page.locator('.hit .citation').allTextContents();
    await searchFor(page, 'boat lang:');
    // Until it is said which, the counts of what was begun are all there are.
    const names = () => page.locator('.facets legend').allTextContents();
    await soon(names).toEqual(['Language']);
    await searchFor(page, 'boat lang:ts in:src');
    await soon(async () => foldersOf(await found())).toEqual(['src']);
    await page.getByRole('button', { name: 'Remove the filter language: typescript' }).waitFor();
    await page.getByRole('button', { name: 'Copy as a command' }).click();
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
      'quarry search boat --in src --language typescript',
    );
    await page.getByRole('button', { name: 'Remove the filter language: typescript' }).click();
    await soon(() => box.inputValue()).toBe('boat in:src');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await soon(() => box.inputValue()).toBe('boat');
    await searchFor(page, 'boat -in:src -in:README.md');
    await soon(async () => foldersOf(await found())).not.toContain('src');
    expect(await found()).not.toEqual([]);
    await page.getByRole('button', { name: 'Remove the filter path: not src, not README.md' }).click();
    await soon(() => box.inputValue()).toBe('boat');
    // Alone it lists the files, and what is looked for as it is means itself.
    await box.fill('in:src');
    await soon(() => page.locator('.virtual-list li').count()).toBe(2);
    await page.getByLabel('How to search').selectOption('Exact text');
    await searchFor(page, 'in:src');
    await page.getByRole('heading', { name: 'Nothing found' }).waitFor();
    await page.getByLabel('How to search').selectOption('Meaning and words');
  });

  test('a hit shows further places of the same file', async () => {
    const { page } = opened();
    await searchFor(page, 'how is a boat reserved');
    await page.locator('.hit', { hasText: 'booking.ts' }).click();
    const places = page.getByLabel('Places in this file').getByRole('button');
    await soon(() => places.count()).toBeGreaterThan(1);
    await places.nth(1).click();
    await soon(() => places.nth(1).getAttribute('aria-current')).toBe('true');
    const place = await page.locator('.pane h2 .place').textContent();
    expect(`${await places.nth(1).textContent()} `).toContain(`${place?.slice(1)} `);
  });

  test('hostile names and texts are shown as they are, and nothing of them runs', async () => {
    const { page } = opened();
    await searchFor(page, 'anchor of the boat onerror');
    const hostile = page.locator('.hit', { hasText: '<img src=x onerror=alert(1)>.md' }).first();
    await hostile.waitFor();
    await hostile.click();
    await soon(() => page.locator('.pane').textContent()).toContain('<script>alert(1)</script>');
    expect(
      await page.locator('main img, main script, main svg[onload], main a[href^=javascript]').count(),
    ).toBe(0);
  });
});
