import { basename } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { browserProgram, ensureBuiltPage, look, openTab, sharedBrowser } from './browser.ts';
import { linkTo, soon, startServerOfOwnUser, type TestServer } from './open-page.ts';

describe.skipIf(!browserProgram)('who enters the page (needs chromium)', () => {
  let browser: Browser;
  let running: TestServer | undefined;
  beforeAll(async () => {
    await ensureBuiltPage();
    browser = await sharedBrowser();
  });
  afterEach(() => running?.server.end());
  afterAll(async () => {
    for (const context of browser?.contexts() ?? []) await context.close();
  });

  /** A registered project about a lake, which is indexed. */
  const registerLake = async ({ client, folder }: TestServer): Promise<void> => {
    const files = { 'lake.md': '# Lake\n\nThe heron waits in the reeds.\n' };
    await client.request('POST', '/v1/projects', { id: 'lake', folder: await folder(files) });
    await client.call('lake', 'index', {});
  };

  test('comes to the project and the view that the link names, also in a page that is open', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const folder = await running.folder({ 'a.md': '# A\n' });
    const { id } = await running.client.openFolder(folder);
    const { page, check } = await openTab(await browser.newContext(), running.url);
    await page.goto(await linkTo(running, '/lake/status'));
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    expect(page.url()).toBe(`${running.url}/#/lake/status`);
    const token = () => page.evaluate('localStorage.getItem("quarry.token")');
    const first = await token();
    // Typed over the address of the open page, which a browser does not load again.
    await page.goto(await linkTo(running, `/${id}/settings`));
    await page.getByLabel('Filter the settings').waitFor();
    await soon(() => page.url()).toBe(`${running.url}/#/${basename(folder)}/settings`);
    expect(await token()).not.toBe(first);
    check();
  });

  test('sees that the engine is gone, and continues when it is back, where no token is needed', async () => {
    running = await startServerOfOwnUser({ isOpen: true });
    await registerLake(running);
    const { url, home, socket, server } = running;
    const { page } = await openTab(await browser.newContext(), url);
    await page.goto(await linkTo(running, '/lake/search'));
    await page.getByRole('searchbox').fill('heron');
    await page.locator('.hit').first().waitFor();
    const lookedInVain = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/projects'));
    await server.end();
    await page.getByRole('searchbox').fill('heron in the reeds');
    await soon(() => page.locator('.lost').textContent()).toMatch(/does not answer.*quarry ui/s);
    await lookedInVain;
    await look(page, 'engine-gone');
    const port = Number(new URL(url).port);
    const places = [{ socket }, { host: '127.0.0.1', port }];
    running = await startServerOfOwnUser({ places, isOpen: true }, home);
    // What was asked meanwhile is answered. Who asks is no longer the owner: the session ended with the engine.
    await soon(() => page.locator('.hit').count()).toBeGreaterThan(0);
    await soon(() => page.locator('.lost').count()).toBe(0);
    await soon(() => page.getByRole('link', { name: 'Open' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('How many hits should a search give?').fill('4');
    await soon(() => page.getByRole('alert').textContent()).toMatch(/for the owner.*quarry ui/s);
  });

  test('needs a new link when the engine was started again', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { url, home, socket, server } = running;
    const { page } = await openTab(await browser.newContext(), url);
    await page.goto(await linkTo(running, '/lake/search'));
    await page.getByRole('searchbox').fill('heron');
    await page.locator('.hit').first().waitFor();
    await server.end();
    const places = [{ socket }, { host: '127.0.0.1', port: Number(new URL(url).port) }];
    running = await startServerOfOwnUser({ places }, home);
    // The page may have seen it before anything is typed: then there is no box any more.
    const typed = page.getByRole('searchbox').fill('heron in the reeds', { timeout: 5_000 });
    await typed.catch(() => undefined);
    await page.getByLabel('Token').waitFor();
    await page.goto(await linkTo(running, '/lake/search?query=heron'));
    await page.locator('.hit').first().waitFor();
  });

  test('signs out: the session ends on the server, and the browser keeps nothing of it, in any tab', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { url } = running;
    const context = await browser.newContext();
    const tabs = [await openTab(context, url), await openTab(context, url)] as const;
    for (const { page } of tabs) {
      await page.goto(await linkTo(running, '/lake/search'));
      await page.getByRole('searchbox').fill('heron');
      await page.getByRole('searchbox').press('Enter');
      await page.locator('.hit').first().waitFor();
    }
    const [{ page }, other] = tabs;
    const kept = () => page.evaluate<Record<string, string>>('({ ...localStorage })');
    await soon(async () => Object.keys(await kept())).toContain('quarry.token');
    await page.getByRole('button', { name: /^Theme/ }).click();
    const { 'quarry.token': token = '' } = await kept();
    const status = async () =>
      (await fetch(`${url}/v1/engine`, { headers: { authorization: `Bearer ${token}` } })).status;
    expect(await status()).toBe(200);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Token').waitFor();
    expect([await status(), page.url()]).toEqual([401, `${url}/`]);
    expect(Object.keys(await kept())).toEqual(['quarry.theme']);
    await other.page.getByLabel('Token').waitFor();
    expect(await other.page.content()).not.toContain('heron');
    await page.goBack().catch(() => undefined);
    await page.getByLabel('Token').waitFor();
    for (const { check } of tabs) check();
  });

  test('comes by a link from a page elsewhere, which itself has the server do nothing', async () => {
    running = await startServerOfOwnUser({ isOpen: true });
    await registerLake(running);
    const work = `${running.url}/api/dashboard/summary?project=lake&use_rag=true`;
    const link = (await linkTo(running, '/lake/search')).replaceAll('&', '&amp;');
    const folder = await running.folder({ 'page.html': `<img src="${work}"><a href="${link}">Quarry</a>` });
    const page = await (await browser.newContext()).newPage();
    await page.goto(`file://${folder}/page.html`);
    const { log } = running;
    const statuses = () => log.flatMap(({ route, status }) => (route.includes('dashboard') ? [status] : []));
    await soon(statuses).toEqual([403]);
    const asked = page.waitForRequest(`${running.url}/`);
    await page.getByRole('link').click();
    expect((await (await asked).allHeaders())['sec-fetch-site']).toBe('cross-site');
    await page.getByRole('searchbox').fill('heron');
    await page.locator('.hit').first().waitFor();
  });

  test('is offered nothing that needs the engine while it is gone, and told so once', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { page } = await openTab(await browser.newContext(), running.url);
    await page.goto(await linkTo(running, '/lake/ask'));
    await page.getByLabel('Question').waitFor();
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    const isOffered = (name: string) => page.getByRole('button', { name }).isEnabled();
    await soon(() => isOffered('Index changes')).toBe(true);
    await running.server.end();
    await page.locator('.lost').waitFor();
    for (const name of ['Index changes', 'Index all again']) expect(await isOffered(name)).toBe(false);
    // Each look at the server fails by now.
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/status'));
    await page.waitForEvent('requestfailed', (request) => request.url().endsWith('/status'));
    expect(await page.getByRole('alert').count()).toBe(1);
    // A question stays in its box, also by the key.
    await page.getByRole('link', { name: 'Ask', exact: true }).click();
    await page.getByLabel('Question').fill('Who waits?');
    await page.getByLabel('Question').press('Enter');
    expect(await page.getByLabel('Question').inputValue()).toBe('Who waits?');
    expect(await page.locator('.turns li').count()).toBe(0);
  });

  test('sees the status go on after an answer that never came', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { page, check } = await openTab(await browser.newContext(), running.url);
    const asked: string[] = [];
    await page.route(/\/v1\/jobs$|\/lake\/status$/, (route) => {
      const url = route.request().url();
      // The first of each hangs.
      if (asked.push(url) && asked.filter((other) => other === url).length > 1) void route.continue();
    });
    await page.goto(await linkTo(running, '/lake/status'));
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    await soon(() => asked.filter((url) => url.endsWith('/v1/jobs')).length).toBeGreaterThan(2);
    check();
  });

  test('is asked for a token where one is needed, sees what it allows, and is out when it is revoked', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { client, url } = running;
    const { result } = await client.call('lake', 'token create', { name: 'reader', for_project: 'lake' });
    const { token, id } = result as { token: string; id: string };
    const { page, check } = await openTab(await browser.newContext(), url);
    await page.goto(url);
    await page.getByLabel('Token').waitFor();
    await look(page, 'entrance');
    await page.getByLabel('Token').fill(token);
    await page.getByRole('button', { name: 'Enter' }).click();
    await page.getByRole('searchbox').fill('heron');
    await page.locator('.hit').first().waitFor();
    await soon(() => page.getByRole('link', { name: 'Open' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByText('by the owner of the machine').waitFor();
    await client.call('lake', 'token revoke', { id }, { confirmed: true });
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('localStorage.getItem("quarry.token")')).toBeNull();
    check();
  });
});
