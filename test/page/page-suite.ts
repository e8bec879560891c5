import { readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { waitForLock } from '../../src/platform/sqlite/writer-lock.ts';
import { browserProgram, look } from './browser.ts';
import { corpus } from './corpus.ts';
import { linkTo, sharedPage, soon } from './open-page.ts';

/** The first parts of paths, each once. */
const foldersOf = (paths: readonly string[]) => [...new Set(paths.map((path) => path.split('/')[0]))];

describe.skipIf(!browserProgram)('the page (needs chromium)', () => {
  const opened = sharedPage(corpus);

  test('is entered by a link that works once, and the key leaves the address', async () => {
    const { running, browser, id, folder, page } = opened();
    await soon(() => page.url()).toBe(`${running.url}/#/${basename(folder)}/search`);
    const other = await browser.newContext();
    const link = await linkTo(running, `/${id}/search`);
    const first = await other.newPage();
    await first.goto(link);
    await first.getByRole('searchbox').waitFor();
    expect(await first.evaluate('localStorage.getItem("quarry.token")')).toMatch(/^[\w-]{43}$/);
    const key = /key=([^&]+)/.exec(link)?.[1] ?? '';
    await expect(running.client.request('POST', '/v1/session', { key })).rejects.toMatchObject({
      code: 'token-invalid',
    });
    expect(JSON.stringify(running.log)).not.toContain(key);
    await other.close();
  });

  test('has a policy that lets no script in but its own', async () => {
    const { running, context } = opened();
    const answer = await fetch(running.url);
    const policy = answer.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const other = await context.newPage();
    await other.goto(running.url);
    const refused = (markup: string) =>
      other.evaluate(
        `try { document.body.innerHTML = ${JSON.stringify(markup)}; 'done' } catch (error) { error.name }`,
      );
    expect(await refused('<img src=x onerror=alert(1)>')).toBe('TypeError');
    const isRun = await other.evaluate(`(() => { const script = document.createElement('script');
      try { script.textContent = 'window.ran = true'; document.body.append(script); } catch {} return window.ran === true; })()`);
    expect(isRun).toBe(false);
    await other.close();
  });

  test('search finds while the reader types, and marks the words', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').pressSequentially('how is a boat reserved', { delay: 15 });
    // Whole words are marked once the answer to all that was typed is there.
    await soon(() => page.locator('.hit mark').allTextContents()).toContain('reserved');
    await soon(() => page.locator('.summary').textContent()).toMatch(/\d+ hits? in/);
    await soon(() => page.locator('.pane .hljs-keyword').count()).toBeGreaterThan(0);
    await soon(() => page.title()).toMatch(/^Search · \S+ · Quarry$/);
    await look(page, 'search');
  });

  test('a hit shows its surroundings and why it has its rank, by keys alone', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').press('ArrowDown');
    const pane = page.locator('.pane');
    await page.keyboard.press('w');
    await soon(() => pane.locator('.why').textContent()).toMatch(/Its meaning is|your words/);
    expect(await pane.locator('.bars').isVisible()).toBe(false);
    await pane.getByText('In numbers').click();
    await page.locator('.hit').first().focus();
    await soon(() => pane.locator('.bars').textContent()).toMatch(
      /Found.*by meaning.*by words.*both together.*Raised and lowered.*[+−]\d/s,
    );
    expect(await pane.locator('.line-number').allTextContents()).toContain('2');
    await look(page, 'search-why');
    await page.keyboard.press('m');
    await soon(() => pane.locator('.line.is-lit').count()).toBeGreaterThan(0);
    await page.keyboard.press('Enter');
    await soon(() => page.evaluate('document.activeElement.closest(".pane") !== null')).toBe(true);
    await page.keyboard.press('Escape');
    await soon(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Hit 1/);
    await page.keyboard.press('c');
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toContain('reserveBoat');
    await page.keyboard.press('j');
    await soon(() => page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Hit 2/);
    await soon(() => pane.getAttribute('aria-label')).toBe('Hit 2 in its file');
    await page.keyboard.press('Escape');
    await soon(() => page.evaluate('document.activeElement.name')).toBe('query');
  });

  test('filters and the way to search narrow the hits, and are kept in the address', async () => {
    const { page } = opened();
    await page.getByRole('button', { name: 'Filters' }).click();
    await page.getByLabel('Path').fill('docs/**');
    await page.getByLabel('Path').press('Enter');
    const paths = () => page.locator('.hit .citation').allTextContents();
    await soon(async () => foldersOf(await paths())).toEqual(['docs']);
    expect(page.url()).toContain('path=docs');
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await page.getByRole('searchbox').fill('throw new TypeError(');
    await page.getByLabel('How to search').selectOption('Exact text');
    await soon(paths).toEqual([expect.stringContaining('src/booking.ts')]);
    await page.getByLabel('How to search').selectOption('Meaning and words');
    await page.getByRole('searchbox').fill('');
  });

  test('asks again after a run that was writing, but not while the tab is hidden', async () => {
    const { running, context, id, folder } = opened();
    const tab = await context.newPage();
    await tab.clock.install();
    let searches = 0;
    tab.on('request', (request) => {
      // What the hits have in common is counted by a search without texts.
      const isCounting = request.postData()?.includes('"brief":true') === true;
      if (request.url().endsWith('/search') && !isCounting) searches += 1;
    });
    const show = (isShown: boolean) =>
      tab.evaluate(`Object.defineProperty(document, 'hidden', { value: ${!isShown}, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'))`);
    await tab.goto(`${running.url}/#/${id}/search?query=wind`);
    await tab.locator('.hit').first().waitFor();
    await show(false);
    const lock = await waitForLock(join(folder, '.quarry', 'writer.lock'));
    await writeFile(join(folder, 'docs/breeze.md'), '# Breeze\n\nA little wind.\n');
    await tab.getByRole('searchbox').press('Enter');
    await tab.locator('.problem', { hasText: 'store-busy' }).waitFor();
    const before = searches;
    await tab.clock.runFor(60_000);
    await tab.evaluate('fetch("/health")');
    expect(searches).toBe(before);
    lock.release();
    await show(true);
    await tab.locator('.hit .citation', { hasText: 'docs/breeze.md' }).waitFor();
    expect(searches).toBe(before + 1);
    await tab.close();
    await rm(join(folder, 'docs/breeze.md'));
  });

  test('type, language and age are filters too', async () => {
    const { folder, page } = opened();
    const old = join(folder, 'docs/gale.md');
    const lock = await waitForLock(join(folder, '.quarry', 'writer.lock'));
    await writeFile(old, '# Gale\n\nThe wind of a previous year.\n');
    await utimes(old, new Date(2020, 1, 1), new Date(2020, 1, 1));
    await page.getByRole('searchbox').fill('wind');
    // A finished query brings the index up to date first.
    await page.getByRole('searchbox').press('Enter');
    // It answers from what is there while another run keeps writing, and again after that.
    await page.locator('.problem', { hasText: 'store-busy' }).waitFor();
    lock.release();
    const paths = async () =>
      (await page.locator('.hit .citation').allTextContents()).map((place) => place.replace(/:[\d-]+$/, ''));
    await soon(paths).toEqual(expect.arrayContaining(['docs/gale.md', 'docs/safety.md', 'src/weather.py']));
    await page.getByLabel('Since').selectOption('Last year');
    await soon(paths).not.toContain('docs/gale.md');
    await page.getByRole('combobox', { name: 'Type' }).selectOption('code');
    await soon(async () => foldersOf(await paths())).toEqual(['src']);
    await page.getByRole('textbox', { name: 'Language' }).fill('Python');
    await page.getByRole('textbox', { name: 'Language' }).press('Enter');
    await soon(paths).toEqual(['src/weather.py']);
    await page.reload();
    await soon(paths).toEqual(['src/weather.py']);
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await rm(old);
  });

  test('nothing found and a wrong pattern say what may help', async () => {
    const { page } = opened();
    await page.getByLabel('How to search').selectOption('Pattern');
    await page.getByRole('searchbox').fill('(unclosed');
    await soon(() => page.getByRole('alert').textContent()).toMatch(/usage-invalid/);
    await page.getByLabel('How to search').selectOption('Exact text');
    await page.getByRole('searchbox').fill('zebra crossing at noon');
    await page.getByText('Nothing found').waitFor();
    // Where the ways to search do not fit beside each other, they are in a list.
    await page.setViewportSize({ width: 390, height: 844 });
    const ways = page.getByRole('combobox', { name: 'How to search' });
    expect(await ways.inputValue()).toBe('exact');
    await ways.selectOption('Words');
    await soon(() => page.locator('.summary').textContent()).toMatch(/by words/);
    await ways.selectOption('Exact text');
    await look(page, 'search-nothing');
    await page.getByRole('button', { name: 'Search by meaning and words' }).click();
    await page.getByRole('searchbox').fill('');
    await page.getByText('Try one of these').waitFor();
    // Each of them is of this corpus, and one click asks it.
    const examples = page.locator('.ways dt');
    await soon(() => examples.count()).toBeGreaterThan(1);
    await look(page, 'search-beginning');
    const example = (await examples.first().textContent()) ?? '';
    await examples.first().getByRole('button').click();
    await page.locator('.hit').first().waitFor();
    expect(await page.getByRole('searchbox').inputValue()).toBe(example);
    await page.getByRole('searchbox').fill('');
  });

  test('status shows the index and runs it again, in all tabs', async () => {
    const { running, context, id, page } = opened();
    await page.getByRole('searchbox').press('Escape');
    await page.evaluate('document.activeElement.blur()');
    // The second key counts only right after the first: a busy machine may be too slow for that once.
    await soon(async () => {
      await page.keyboard.press('g');
      await page.keyboard.press('t');
      return page.url();
    }).toContain('/status');
    await page.getByRole('heading', { name: /^Indexed \d+ chunks$/ }).waitFor();
    await page.getByRole('button', { name: 'Index all again' }).click();
    await soon(() => page.locator('.job').textContent()).toMatch(/8 documents read/);
    await soon(() => page.locator('.all-facts').textContent()).toMatch(
      /Documents8\d+ pieces of text.*Not found by meaning yet0all.*Files changed since the last read0read .*Index on disk[\d.]+ [KM]B.*Model\S+on this machine.*Memory in use\d/s,
    );
    // Three numbers are for every day, the others are a click away.
    expect(await page.locator('.facts > div:visible').count()).toBe(3);
    await page.getByText('More about the index').click();
    expect(await page.locator('.facts > div:visible').count()).toBe(6);
    // With a second run there is something to see over time: each with what it read, and how much there was then.
    await page.getByRole('button', { name: 'Index changes' }).click();
    const runs = page.locator('.runs li');
    await soon(() => runs.count()).toBe(2);
    expect(await runs.allTextContents()).toEqual([
      expect.stringMatching(/0 documents read, 8 unchanged.*\d chunks, /),
      expect.stringMatching(/8 documents read.*\d chunks, /),
    ]);
    await look(page, 'status');
    const other = await context.newPage();
    await other.goto(`${running.url}/#/${id}/status`);
    await soon(() => other.locator('.runs').textContent()).toMatch(/8 documents read/);
    await other.close();
  });

  test('settings are checked while typed, shown as a diff, and saved without losing a comment', async () => {
    const { running, id, folder, page } = opened();
    await page.getByRole('link', { name: 'Settings' }).click();
    const field = page.getByLabel('search.top_k', { exact: true });
    // Ten choices in words of people come first.
    await soon(() => page.locator('.setting').count()).toBe(11);
    await page.getByLabel('How old may mail be?').selectOption('A year');
    await soon(() => page.locator('.diff').textContent()).toMatch(/email = 365/);
    await page.getByRole('button', { name: 'Discard' }).click();
    const choice = page.getByLabel('How many hits should a search give?');
    await choice.fill('0');
    await soon(() => page.getByRole('alert').textContent()).toMatch(/search\.top_k is 0; the least is 1/);
    await choice.fill('7');
    await soon(() => page.locator('.diff .added').textContent()).toContain('top_k = 7 # enough for a screen');
    // What will be written stands below what it is about, edge to edge.
    const [list, bar] = await Promise.all([
      page.locator('.setting').first().boundingBox(),
      page.locator('.preview-body').boundingBox(),
    ]);
    expect(Math.abs((bar?.width ?? 0) - (list?.width ?? 0))).toBeLessThan(5);
    await look(page, 'settings');
    // What is not saved is still there after a look at another view.
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByRole('radio', { name: /^Changed/ }).check();
    await soon(() => field.inputValue()).toBe('7');
    await page.locator('.diff .added').waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Saved to quarry.toml').waitFor();
    const written = await readFile(join(folder, 'quarry.toml'), 'utf8');
    expect(written).toBe(corpus['quarry.toml']?.replace('top_k = 5', 'top_k = 7'));
    // At once, in the engine that serves the page; and the form says where the value comes from.
    const { result } = await running.client.call(id, 'config show', {});
    expect((result as { settings: object[] }).settings).toContainEqual(
      expect.objectContaining({ key: 'search.top_k', value: 7, layer: 'project' }),
    );
    await soon(() => page.locator('.setting', { has: field }).textContent()).toMatch(/quarry\.toml/);
    await page.getByRole('radio', { name: /^Advanced/ }).check();
    const other = page.locator('.setting', { has: page.getByLabel('search.per_document', { exact: true }) });
    await soon(() => other.locator('.tag').textContent()).toBe('default');
    // What lowers protection is said not to count.
    await page.getByLabel('index.redact_secrets', { exact: true }).selectOption('false');
    await page.getByText(/redact_secrets = false, which lowers your protection/).waitFor();
    await page.getByRole('button', { name: 'Discard' }).click();
  });

  test('a settings file that was changed meanwhile is a conflict, and is not overwritten', async () => {
    const { folder, page } = opened();
    const field = page.getByLabel('search.top_k', { exact: true });
    await soon(() => field.inputValue()).toBe('7');
    const file = join(folder, 'quarry.toml');
    await writeFile(file, `${await readFile(file, 'utf8')}# from an editor\n`);
    await field.fill('9');
    await soon(() => page.getByRole('alert').textContent()).toMatch(/has changed since/);
    await soon(() => page.getByRole('button', { name: 'Save 1 change' }).isDisabled()).toBe(true);
    await look(page, 'settings-conflict');
    await page.getByRole('button', { name: 'Read the file again' }).click();
    await page.locator('.diff').waitFor();
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('Saved to quarry.toml').waitFor();
    expect(await readFile(file, 'utf8')).toMatch(/top_k = 9 # enough.*# from an editor/s);
  });

  test('an answer names its sources, which open with the passage set off, and is kept in the browser', async () => {
    const { page } = opened();
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    // Questions of these very files, and no names of code.
    const examples = page.locator('.beginning-ask .chips button');
    await soon(() => examples.count()).toBeGreaterThan(0);
    expect(await examples.allTextContents()).not.toContain('reserveBoat');
    await page.getByRole('textbox', { name: 'Question' }).fill('When do all boats return to the jetty?');
    await page.getByLabel('Question').press('Enter');
    await soon(() => page.locator('.answer').textContent()).toMatch(/force five/);
    expect(await page.locator('.origin').textContent()).toMatch(/No model wrote this/);
    // What the answer rests on is listed; what was found besides is there on demand.
    expect(await page.locator('.sources').first().textContent()).toContain('docs/safety.md');
    expect(await page.locator('.turns details summary').textContent()).toMatch(/^Found, but not used: \d+$/);
    expect(await page.locator('.turns details .sources').isVisible()).toBe(false);
    await look(page, 'ask');
    await page.locator('.chip').first().click();
    await soon(() => page.locator('dialog.passage .line.is-lit').count()).toBeGreaterThan(0);
    expect(await page.locator('dialog.passage').textContent()).toContain('docs/safety.md');
    // The sentence, and not words of it.
    expect(await page.locator('dialog.passage mark').allTextContents()).toEqual([
      'When the wind is above force five, all boats return to the jetty.',
    ]);
    // On a desk it stands beside the answers, and the next question can be typed.
    expect(
      await page.evaluate(`(() => {
        const [head, turns, box, source] = ['.view-head', '.turns', '.question', 'dialog.passage'].map((name) => document.querySelector(name).getBoundingClientRect());
        return Math.max(head.right, turns.right, box.right) <= source.left && source.right <= innerWidth && source.bottom <= innerHeight;
      })()`),
    ).toBe(true);
    await page.getByRole('textbox', { name: 'Question' }).fill('And then?');
    await page.getByRole('textbox', { name: 'Question' }).fill('');
    await look(page, 'ask-source');
    await page.getByRole('button', { name: 'Close' }).press('Escape');
    await soon(() => page.locator('dialog.passage').isVisible()).toBe(false);
    // On a phone it takes the screen.
    await page.setViewportSize({ width: 390, height: 844 });
    await page.locator('.chip').first().click();
    await page.locator('dialog.passage:modal .line.is-lit').first().waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.reload();
    await soon(() => page.locator('.answer').textContent()).toMatch(/force five/);
    await page.getByRole('button', { name: 'Forget these questions' }).click();
    await page.getByRole('button', { name: 'Forget them for good' }).click();
    await soon(() => page.locator('.answer').count()).toBe(0);
  });

  test('tokens are made and shown once, and revoked', async () => {
    const { running, page } = opened();
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.locator('.tokens').getByLabel('Name').fill('laptop');
    await page.getByRole('button', { name: 'Make a token' }).click();
    const token = (await page.locator('.made code').textContent()) ?? '';
    expect(token).toMatch(/^quarry_/);
    const listed = () =>
      fetch(`${running.url}/v1/projects`, { headers: { authorization: `Bearer ${token}` } });
    expect((await listed()).status).toBe(200);
    await look(page, 'projects');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.reload();
    await page.getByRole('button', { name: 'Revoke laptop' }).click();
    await page.getByRole('button', { name: 'Revoke laptop: Revoke for good' }).click();
    await soon(() => page.getByRole('button', { name: 'Revoke laptop' }).count()).toBe(0);
    expect((await listed()).status).toBe(401);
  });
});
