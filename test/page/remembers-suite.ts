import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { browserProgram, look, openTab } from './browser.ts';
import { linkTo, searchFor, sharedPage, soon } from './open-page.ts';

const files = {
  'storm.md': '# Storm\n\nAll boats return when the wind is strong.\n',
  'price.md': '# Prices\n\nA skiff costs twelve an hour.\n',
  'lamp.md': '# Lamp\n\nThe lamp is lit at dusk, when the wind is strong or not.\n',
};

describe.skipIf(!browserProgram)('what the page remembers (needs chromium)', () => {
  const opened = sharedPage(files);
  const box = () => opened().page.getByRole('searchbox');
  const type = async (query: string) => {
    await searchFor(opened().page, query);
  };
  const hit = (name: string) => opened().page.locator('.hit', { hasText: name });

  test('the address has the name of the folder, and a link leads to one hit', async () => {
    const { page, running, context, folder } = opened();
    await soon(() => page.url()).toContain(`#/${basename(folder)}/search`);
    await type('strong wind');
    await hit('lamp.md').click();
    await soon(() => page.url()).toMatch(/query=strong\+wind&hit=lamp\.md/);
    await page.getByRole('button', { name: 'Copy link' }).click();
    const link = (await page.evaluate('navigator.clipboard.readText()')) as string;
    const other = await openTab(context, running.url);
    await other.page.goto(link);
    await soon(() => other.page.locator('.pane').textContent()).toContain('The lamp is lit');
    await soon(() => other.page.locator('.hit[aria-current="true"]').textContent()).toContain('lamp.md');
    // One that is no longer among the hits is shown all the same.
    await other.page.goto(link.replace('hit=lamp.md', 'hit=price.md'));
    await other.page.reload();
    await soon(() => other.page.locator('.pane').textContent()).toContain('A skiff costs');
    other.check();
    await other.page.close();
  });

  test('Back leads to the question before, and which hits were opened is seen', async () => {
    const { page } = opened();
    await type('skiff');
    await box().press('Enter');
    await type('lamp');
    await page.goBack();
    await soon(() => box().inputValue()).toBe('skiff');
    await page.goBack();
    await soon(() => box().inputValue()).toBe('strong wind');
    await soon(() => hit('lamp.md').getAttribute('class')).toContain('is-opened');
    expect(await hit('lamp.md').textContent()).toContain('opened');
    expect(await hit('storm.md').getAttribute('class')).not.toContain('is-opened');
  });

  test('a saved search says what is new in it, in any browser of its owner', async () => {
    const { page, running, browser, id, folder } = opened();
    await page.getByRole('button', { name: 'Save this search' }).click();
    await page.getByRole('button', { name: 'Saved' }).waitFor();
    // A page that shows the search would see what comes, and then it is not new.
    await type('skiff');
    await mkdir(join(folder, 'new'));
    await writeFile(join(folder, 'new/gale.md'), '# Gale\n\nA strong wind from the west closes the jetty.\n');
    await running.client.call(id, 'index', {});
    // Another browser has nothing of what this one keeps.
    const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    const other = await openTab(context, running.url);
    await other.page.goto(await linkTo(running, `/${id}/search`));
    await soon(() => other.page.locator('.saved-searches').textContent()).toMatch(/strong wind.*1 new/);
    expect(await other.page.locator('.beginning').textContent()).toContain('skiff');
    await look(other.page, 'beginning-remembered');
    await other.page
      .locator('.saved-searches')
      .getByRole('button', { name: 'strong wind', exact: true })
      .click();
    await soon(() => other.page.locator('.hit', { hasText: 'gale.md' }).locator('.is-new').count()).toBe(1);
    expect(await other.page.locator('.hit .is-new').count()).toBe(1);
    other.check();
    await context.close();
  });

  test('one key on a hit says whether it was what was looked for, and another keeps a question that nothing answered', async () => {
    const { page } = opened();
    await page.reload();
    await type('strong wind');
    await hit('storm.md').focus();
    await page.keyboard.press('y');
    await soon(() => hit('storm.md').textContent()).toContain('this was it');
    await hit('lamp.md').focus();
    await page.keyboard.press('n');
    await soon(() => hit('lamp.md').textContent()).toContain('not this');
    await look(page, 'search-judged');
    await type('who pays the harbour master');
    await page.getByRole('button', { name: 'Not found: keep the question' }).first().click();
    await page.getByText('kept as not found').first().waitFor();
  });

  test('the judged questions are measured in the Evaluation view', async () => {
    const { page } = opened();
    await page.getByRole('link', { name: 'Evaluation', exact: true }).click();
    const own = page.locator('.own-questions');
    await soon(() => own.textContent()).toMatch(/1 question with an answer.*1 not found yet/s);
    expect(await own.textContent()).toMatch(/storm\.md; not lamp\.md/);
    await page.getByRole('button', { name: 'Measure how well they are found' }).click();
    await soon(() => page.locator('.report-table tbody tr').count()).toBe(1);
    await look(page, 'evaluation-own');
    await page.getByRole('button', { name: /^Remove the question who pays/ }).click();
    await soon(() => own.textContent()).not.toContain('harbour');
  });

  test('one button forgets it all', async () => {
    const { page, running, id } = opened();
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('button', { name: 'Forget all of it' }).click();
    await page.getByRole('button', { name: /Forget it$/ }).click();
    await soon(() => page.getByText('Asked before').count()).toBe(0);
    await soon(() => running.client.request('GET', `/v1/projects/${id}/reader`)).toMatchObject({
      recent: [],
      saved: [],
      opened: [],
    });
  });
});
