import type { Browser } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { browserProgram, ensureBuiltPage, look, openTab, startBrowser } from './browser.ts';
import { linkTo, soon, startServerOfOwnUser, type TestServer } from './open-page.ts';

describe.skipIf(!browserProgram)('who enters the page (needs chromium)', () => {
  let browser: Browser;
  let running: TestServer | undefined;
  beforeAll(async () => {
    await ensureBuiltPage();
    browser = await startBrowser();
  });
  afterEach(() => running?.server.end());
  afterAll(() => browser?.close());

  /** A registered project about a lake, which is indexed. */
  const registerLake = async ({ client, folder }: TestServer): Promise<void> => {
    const files = { 'lake.md': '# Lake\n\nThe heron waits in the reeds.\n' };
    await client.request('POST', '/v1/projects', { id: 'lake', folder: await folder(files) });
    await client.call('lake', 'index', {});
  };

  test('comes to the project and the view that the link names, also in a page that is open', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { id } = await running.client.openFolder(await running.folder({ 'a.md': '# A\n' }));
    const { page, check } = await openTab(await browser.newContext(), running.url);
    await page.goto(await linkTo(running, '/lake/status'));
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    expect(page.url()).toBe(`${running.url}/#/lake/status`);
    const token = () => page.evaluate('localStorage.getItem("quarry.token")');
    const first = await token();
    // Typed over the address of the open page, which a browser does not load again.
    await page.goto(await linkTo(running, `/${id}/settings`));
    await page.getByLabel('Filter the settings').waitFor();
    expect(page.url()).toBe(`${running.url}/#/${id}/settings`);
    expect(await token()).not.toBe(first);
    check();
  });

  test('sees that the engine is gone, and goes on when it is back', async () => {
    running = await startServerOfOwnUser();
    await registerLake(running);
    const { url, home, socket, server } = running;
    const { page } = await openTab(await browser.newContext(), url);
    await page.goto(await linkTo(running, '/lake/search'));
    await page.getByRole('searchbox').fill('heron');
    await page.locator('.hit').waitFor();
    await server.end();
    await page.getByRole('searchbox').fill('heron in the reeds');
    await soon(() => page.locator('.lost').textContent()).toMatch(/does not answer.*quarry ui/s);
    await look(page, 'engine-gone');
    const port = Number(new URL(url).port);
    running = await startServerOfOwnUser({ places: [{ socket }, { host: '127.0.0.1', port }] }, home);
    // What was asked meanwhile is answered. Who asks is no longer the owner: the session ended with the engine.
    await soon(() => page.locator('.hit').count()).toBe(1);
    await soon(() => page.locator('.lost').count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Open' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Settings', exact: true }).click();
    await page.getByLabel('search.top_k', { exact: true }).fill('4');
    await soon(() => page.getByRole('alert').textContent()).toMatch(/for the owner.*quarry ui/s);
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
    running = await startServerOfOwnUser({ isOpen: false });
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
    expect(await page.getByRole('link', { name: 'Open' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Projects' }).click();
    await page.getByText('by the owner of the machine').waitFor();
    await client.call('lake', 'token revoke', { id }, { confirmed: true });
    await page.getByLabel('Token').waitFor();
    expect(await page.evaluate('localStorage.getItem("quarry.token")')).toBeNull();
    check();
  });
});
