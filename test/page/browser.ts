import { existsSync, globSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { build } from 'vite';
import { expect } from 'vitest';
import { isInSample } from '../samples.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const programs = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The browser of this machine; undefined where there is none. */
export const browserProgram = programs.find((path) => existsSync(path));

/**
 * What no test uses of the browser, in place of Playwright's own list, of which the rest is what matters here. For each window
 * it would load the suggestions of its address bar as two pages, and for each tab start a process that a next one may need.
 */
const unusedFeatures = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsUpgrades',
  'HttpsFirstBalancedModeAutoEnable',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
];

let browser: Promise<Browser> | undefined;

/** The browser, which itself calls nobody: one for all tests of this process, with which it ends. */
export function sharedBrowser(): Promise<Browser> {
  browser ??= startBrowser();
  return browser;
}

/** Starts a browser. */
export function startBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: browserProgram ?? '',
    args: [
      '--no-sandbox',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
      '--disable-quic',
      '--enable-unsafe-swiftshader',
      `--disable-features=${unusedFeatures.join(',')}`,
      // Without a graphics card this is done by its emulation, which takes longer.
      '--disable-gpu-rasterization',
      '--disable-gpu-compositing',
    ],
  });
}

/** Builds the page where its source is newer than what was built. */
export async function ensureBuiltPage(): Promise<void> {
  const built = statSync(join(root, 'dist/web/index.html'), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  const sources = globSync('{web/**/*,src/client/*,src/core/*}.{ts,tsx,css,html,svg}', { cwd: root });
  const isOutdated = sources.some((file) => statSync(join(root, file)).mtimeMs > built);
  if (isOutdated) await build({ configFile: join(root, 'web/vite.config.ts') });
}

/** A tab that fails the test when the page logs an error, breaks its own policy or asks another server. */
export async function openTab(
  context: BrowserContext,
  origin: string,
): Promise<{ page: Page; check(): void }> {
  const page = await context.newPage();
  page.setDefaultTimeout(60_000);
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // What a server refuses is logged by the browser; the views show it.
    const isRefusal = /Failed to load resource/.test(message.text());
    if (message.type() === 'error' && !isRefusal) faults.push(`console: ${message.text()}`);
  });
  page.on('dialog', (dialog) => {
    faults.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!request.url().startsWith(origin)) faults.push(`foreign request: ${request.url()}`);
  });
  return { page, check: () => expect(faults).toEqual([]) };
}

/** In the page: what decides whether the text of an element can be read on what is behind it. */
const lookOf = `(element) => {
  const { color, fontSize, fontWeight, textShadow } = getComputedStyle(element);
  const look = [color, fontSize, fontWeight, textShadow, element.closest('[disabled], [aria-disabled=true]') !== null];
  for (let at = element; at; at = at.parentElement) {
    const { backgroundColor, backgroundImage, opacity } = getComputedStyle(at);
    look.push(backgroundColor, backgroundImage, opacity);
  }
  return look.join(' ');
}`;

/** The looks of texts in whose colours axe has found nothing wrong. */
const readable = new Set<string>();

/** Loads axe into a page that does not have it: over the protocol of the browser, which the policy of the page does not concern. */
async function loadAxe(page: Page): Promise<void> {
  if (await page.evaluate("'axe' in globalThis")) return;
  const { default: axe } = await import('axe-core');
  await page.evaluate(`(() => { ${axe.source} })()`);
}

const inWords = "({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 160)).join(' | ')";

/** What axe finds wrong with what is shown now, but for its colours. */
async function wrongStructure(page: Page): Promise<string[]> {
  await loadAxe(page);
  return page.evaluate(`(async () => {
    const { violations } = await axe.run(document, { rules: { 'color-contrast': { enabled: false } } });
    return violations.map(${inWords});
  })()`);
}

/** What axe finds wrong with the colours that are shown now: it takes seconds for them, and so looks at one text of each look. */
async function wrongColours(page: Page): Promise<string[]> {
  await loadAxe(page);
  const { violations, passed } = await page.evaluate<{
    violations: string[];
    passed: string[];
  }>(`(async () => {
    const lookOf = ${lookOf};
    const readable = new Set(${JSON.stringify([...readable])});
    const unknown = new Map();
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data, parentElement } = texts.currentNode;
      if (data.trim() === '' || !parentElement.checkVisibility({ visibilityProperty: true })) continue;
      const look = lookOf(parentElement);
      if (!readable.has(look) && !unknown.has(look)) unknown.set(look, parentElement);
    }
    if (unknown.size === 0) return { violations: [], passed: [] };
    const options = { runOnly: ['color-contrast'], elementRef: true };
    const { violations, passes } = await axe.run({ include: [...unknown.values()] }, options);
    const passed = passes.flatMap(({ nodes }) => nodes.map(({ element }) => lookOf(element)));
    return { violations: violations.map(${inWords}), passed };
  })()`);
  for (const look of passed) readable.add(look);
  return violations;
}

/** Takes a picture of the page for a person to look at after the run, where it was asked for with `PICTURES=1`. */
export async function picture(page: Page, name: string): Promise<void> {
  if (!process.env.PICTURES) return;
  const folder = join(root, 'test', 'page', 'pictures');
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`) });
}

/** What axe is asked where: a phone shows the same elements in the same colours, placed otherwise. */
const looks: Readonly<Record<string, readonly ((page: Page) => Promise<string[]>)[]>> = {
  'desk light': [wrongStructure, wrongColours],
  'desk dark': [wrongColours],
  'phone light': [wrongStructure],
};

let looked = 0;

/** Looks at a view: light and dark, on a desk and on a phone. Axe finds nothing, and nothing is too wide. Axe, which takes longest, is asked about every third view, outside of CI. */
export async function look(page: Page, name: string): Promise<void> {
  const isAsked = isInSample(3, looked++);
  const sizes = { desk: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };
  for (const [size, viewport] of Object.entries(sizes)) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      const asked = looks[`${size} ${colorScheme}`] ?? [];
      if (asked.length === 0 && !process.env.PICTURES) continue;
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await picture(page, `${name}-${size}-${colorScheme}`);
      for (const wrongIn of isAsked ? asked : [])
        expect(await wrongIn(page), `${name}, ${size}, ${colorScheme}`).toEqual([]);
    }
    // Colours do not decide how wide it is.
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} is no wider than a ${size}`).toBeLessThanOrEqual(0);
  }
  // A desk whose browser enlarges everything to 200 and to 400 %.
  for (const width of [640, 320]) {
    await page.setViewportSize({ width, height: 450 });
    const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
    expect(overflow, `${name} fits into ${width} pixels`).toBeLessThanOrEqual(0);
  }
  await page.setViewportSize(sizes.desk);
  await page.emulateMedia({ colorScheme: 'light' });
}
