import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';
import { browserProgram, ensureBuiltPage, look, openTab, startBrowser } from './browser.ts';
import { corpus } from './corpus.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** A link as `quarry ui` makes it. */
async function linkTo(running: TestServer, to: string): Promise<string> {
  const { address, key } = (await running.client.request('POST', '/v1/engine/page', {})) as {
    address: string;
    key: string;
  };
  return `${address}/#key=${key}&to=${encodeURIComponent(to)}`;
}

describe.skipIf(!browserProgram)('the page (needs chromium)', () => {
  let running: TestServer;
  let browser: Browser;
  let context: BrowserContext;
  let id: string;
  let page: Page;
  let check: () => void;

  beforeAll(async () => {
    await ensureBuiltPage();
    running = await startTestServer();
    const folder = await running.folder(corpus);
    ({ id } = await running.client.openFolder(folder));
    await running.client.call(id, 'index', {});
    browser = await startBrowser();
    context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    ({ page, check } = await openTab(context, running.url));
    await page.goto(await linkTo(running, `/${id}/search`));
    await page.getByRole('searchbox').waitFor();
  });
  afterEach(() => check());
  afterAll(async () => {
    await browser?.close();
    await running?.server.end();
  });

  test('is entered by a link that works once, and the key leaves the address', async () => {
    expect(page.url()).toBe(`${running.url}/#/${id}/search`);
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
    await page.getByRole('searchbox').pressSequentially('how is a boat reserved', { delay: 15 });
    const first = page.locator('.hit').first();
    await expect.poll(() => first.locator('mark').count()).toBeGreaterThan(0);
    expect(await page.locator('.summary').textContent()).toMatch(/\d+ hits? in/);
    await expect.poll(() => page.locator('.hit .hljs-keyword').count()).toBeGreaterThan(0);
    await look(page, 'search');
  });
});
