import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, vi } from 'vitest';
import { processEnvironment } from '../../src/platform/environment.ts';
import { startTestServer } from '../../src/surfaces/http/server.fixture.ts';
import { ensureBuiltPage, openTab, sharedBrowser } from './browser.ts';

export type TestServer = Awaited<ReturnType<typeof startTestServer>>;

/** An expectation that is met within seconds: a busy machine draws slowly. */
export const soon = expect.poll;

/** Types a query and waits for the hits that answer it: until then those of the previous one can be chosen. */
export async function searchFor(page: Page, query: string): Promise<void> {
  await page.getByRole('searchbox').fill(query);
  await answered(page);
}

/** Waits until what is shown answers what stands in the box. */
export async function answered(page: Page): Promise<void> {
  await page.locator('.results[aria-busy="false"]').waitFor({ state: 'attached' });
}

/** A server whose projects, too, see a user of their own. */
export async function startServerOfOwnUser(
  options: Parameters<typeof startTestServer>[0] = {},
  previous?: string,
): Promise<TestServer> {
  // A server that comes back has the user of the previous one.
  if (previous === undefined) vi.stubEnv('HOME', await mkdtemp(join(tmpdir(), 'page-user-')));
  return startTestServer({ environment: processEnvironment, isOpen: false, ...options }, previous);
}

/** A link as `quarry ui` makes it. */
export async function linkTo(running: TestServer, to: string): Promise<string> {
  const { address, key } = (await running.client.request('POST', '/v1/engine/page', {})) as {
    address: string;
    key: string;
  };
  return `${address}/#key=${key}&to=${encodeURIComponent(to)}`;
}

/** The page of the owner, in a real browser, for a project that is indexed. */
export interface OpenedPage {
  readonly running: TestServer;
  readonly browser: Browser;
  readonly context: BrowserContext;
  readonly id: string;
  readonly folder: string;
  readonly page: Page;
  /** Fails where the page has logged an error or asked another server. */
  check(): void;
  close(): Promise<void>;
}

/** Opens the page for a project of these files. */
export async function openPage(files: Readonly<Record<string, string>>): Promise<OpenedPage> {
  await ensureBuiltPage();
  const running = await startServerOfOwnUser();
  const folder = await running.folder(files);
  const { id } = await running.client.openFolder(folder);
  await running.client.call(id, 'index', {});
  const browser = await sharedBrowser();
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const { page, check } = await openTab(context, running.url);
  await page.goto(await linkTo(running, `/${id}/search`));
  await page.getByRole('searchbox').waitFor();
  const close = async () => {
    await context.close();
    await running.server.end();
  };
  return { running, browser, context, id, folder, page, check, close };
}

/** One page for all tests of a suite, which is checked after each; it is open when a test asks for it. */
export function sharedPage(files: Readonly<Record<string, string>>): () => OpenedPage {
  let opened: OpenedPage;
  beforeAll(async () => {
    opened = await openPage(files);
  });
  afterEach(() => opened.check());
  afterAll(() => opened?.close());
  return () => opened;
}
