// The page with a large corpus, in the browser of this machine, against a server in a process of its own: the list of files
// of a glob, the map, and how long the page takes to answer a key or a click (the browser's own event timing). Times are
// beside those of an empty page in the same browser, and of a small corpus, in the same run.
// Usage: npx node bench/page/large-corpus.ts [--files N] [--sections N]   (needs chromium and `npm run build`)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createClient } from '../../src/client/client.ts';
import { socketTransport } from '../../src/client/socket-transport.ts';
import { draws } from '../../src/core/draws.ts';
import { processEnvironment } from '../../src/platform/environment.ts';
import { startServer } from '../../src/surfaces/http/server.ts';
import { startBrowser } from '../../test/page/browser.ts';
import { measureInteractions } from './interactions.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '10000' },
    sections: { type: 'string', default: '5' },
    role: { type: 'string' },
  },
});
if (values.role === 'server') await beServer();
else await measure();

async function beServer(): Promise<void> {
  const home = process.env.HOME ?? '';
  const socket = join(home, 'run', 'socket');
  const server = await startServer({
    environment: processEnvironment,
    version: 'bench',
    build: 'bench',
    environmentName: 'bench',
    places: [{ socket }, { host: '127.0.0.1', port: 0 }],
    requiresToken: false,
    watch: false,
  });
  process.on('message', () => void server.end().then(() => process.disconnect()));
  process.send?.({ socket });
}

/** Topics with words of their own, so that chunks have neighbours. */
function writeCorpus(folder: string, files: number, sections: number): void {
  const random = draws(11);
  const word = (topic: number) => `w${topic}x${Math.floor(random() * 40)}`;
  writeFileSync(join(folder, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
  for (let file = 0; file < files; file += 1) {
    const topic = Math.floor(random() * 60);
    const text = Array.from({ length: sections }, (_, section) => {
      const words = Array.from({ length: 30 }, () =>
        word(random() < 0.8 ? topic : Math.floor(random() * 60)),
      );
      return `# Part ${section} of ${file}\n\n${words.join(' ')}.\n`;
    });
    const below = join(folder, `topic-${topic}`);
    mkdirSync(below, { recursive: true });
    writeFileSync(join(below, `note-${file}.md`), text.join('\n'));
  }
}

async function measure(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'page-bench-'));
  const server = fork(fileURLToPath(import.meta.url), ['--role', 'server'], {
    env: { ...process.env, HOME: home, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' },
  });
  const [{ socket }] = (await once(server, 'message')) as [{ socket: string }];
  const client = createClient(socketTransport(socket));
  const browser = await startBrowser();
  try {
    const page = await (await browser.newContext({ viewport: { width: 1280, height: 900 } })).newPage();
    await page.goto('about:blank');
    console.log(`empty page: ${await frames(page)}`);
    // As the owner, who may change settings.
    const link = (await client.request('POST', '/v1/engine/page', {})) as { address: string; key: string };
    await page.goto(`${link.address}/#key=${link.key}`);
    await page.getByRole('link', { name: 'Quarry' }).waitFor();
    for (const [name, files, sections] of [
      ['small', 100, 1],
      ['large', Number(values.files), Number(values.sections)],
    ] as const) {
      const folder = mkdtempSync(join(home, `${name}-`));
      writeCorpus(folder, files, sections);
      const { id } = await client.openFolder(folder);
      const indexing = await timed(() => client.call(id, 'index', {}));
      console.log(`\n${name}: ${files} files, indexed in ${(indexing / 1000).toFixed(1)} s`);
      for (const fine of [false, true]) {
        const first = await timed(() => client.call(id, 'map', { fine }));
        const second = await timed(() => client.call(id, 'map', { fine }));
        console.log(
          `map on the server, ${fine ? 'neighbours together' : 'two axes'}: ${(first / 1000).toFixed(2)} s, again ${(second / 1000).toFixed(2)} s`,
        );
      }
      await measureInteractions(page, `${link.address}/#/${id}`);
      await measureFrames(page, `${link.address}/#/${id}`);
    }
  } finally {
    await browser.close();
    server.send('end');
    await once(server, 'exit');
  }
}

/** How fast the longest list and the map are drawn while they move. */
async function measureFrames(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/search?path=topic-*/**`);
  const shown = await timed(() => page.locator('.virtual-list li').first().waitFor());
  const rows = await page.locator('.virtual-list li').count();
  console.log(
    `files of a glob: shown after ${shown.toFixed(0)} ms, ${rows} rows drawn, scrolling ${await frames(page, 'scrollBy(0, 900)')}`,
  );
  await page.goto(`${base}/map`);
  await page.getByText('neighbours together').waitFor({ timeout: 300_000 });
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map canvas').boundingBox()) ?? {};
  await page.mouse.move(x + width / 2, y + height / 2);
  const zoomed = frames(page);
  for (let step = 0; step < 40; step += 1) await page.mouse.wheel(0, step % 20 < 10 ? -60 : 60);
  console.log(`map, enlarged and made smaller: ${await zoomed}`);
  await page.mouse.down();
  const moved = frames(page);
  for (let step = 0; step < 60; step += 1)
    await page.mouse.move(x + width / 2 + (step % 30) * 6, y + height / 2);
  console.log(`map, moved: ${await moved}`);
  await page.mouse.up();
  const pointed = frames(page);
  for (let step = 0; step < 60; step += 1) await page.mouse.move(x + 100 + step * 8, y + height / 2 + step);
  console.log(`map, pointed at: ${await pointed}`);
}

/** Milliseconds from one picture to the next, for two seconds. */
async function frames(page: Page, each = ''): Promise<string> {
  const times = (await page.evaluate(`new Promise((resolve) => {
    const times = []; let last = performance.now(); const end = last + 2000;
    const step = (now) => { times.push(now - last); last = now; ${each}; now < end ? requestAnimationFrame(step) : resolve(times); };
    requestAnimationFrame(step);
  })`)) as number[];
  const sorted = times.slice(1).sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor(sorted.length * share)] ?? 0).toFixed(0);
  return `${(sorted.length / 2).toFixed(0)} frames a second, ${at(0.5)} ms a frame (p95 ${at(0.95)} ms)`;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}
