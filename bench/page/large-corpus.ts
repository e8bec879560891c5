// The page with a large corpus, in the browser of this machine, against a server in a process of its own: the list of files
// of a glob, the map, and how long the page takes to answer a key or a click (the browser's own event timing). Times are
// beside those of an empty page in the same browser, and of a small corpus, in the same run. The index is filled directly.
// Usage: npx node bench/page/large-corpus.ts [--files N] [--sections N]   (needs chromium and `npm run build`)
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';
import { createClient } from '../../src/client/client.ts';
import { socketTransport } from '../../src/client/socket-transport.ts';
import { processEnvironment } from '../../src/platform/environment.ts';
import { startServer } from '../../src/surfaces/http/server.ts';
import { startBrowser } from '../../test/page/browser.ts';
import { fillProject } from './filled-project.ts';
import { measureInteractions } from './interactions.ts';
import { measureMap } from './map-frames.ts';

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
    isOpen: true,
    watch: false,
  });
  process.on('message', () => void server.end().then(() => process.disconnect()));
  process.send?.({ socket });
}

async function measure(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'page-bench-'));
  const env = { ...process.env, HOME: home, XDG_CACHE_HOME: '', XDG_CONFIG_HOME: '', XDG_DATA_HOME: '' };
  const environment = (name: string) => (env as NodeJS.ProcessEnv)[name] || undefined;
  const server = fork(fileURLToPath(import.meta.url), ['--role', 'server'], { env });
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
      const filling = await timed(() => fillProject(folder, { files, sections, environment }));
      const { id } = await client.openFolder(folder);
      const { result } = await client.call(id, 'status', { compare: false });
      const { chunks } = result as { chunks: number };
      if (chunks !== files * sections) throw new Error(`The server has ${chunks} chunks of this project.`);
      console.log(
        `\n${name}: ${files} files, ${files * sections} chunks, index filled in ${(filling / 1000).toFixed(1)} s`,
      );
      const base = `${link.address}/#/${id}`;
      await measureList(page, base);
      await measureMap(page, base);
      await measureInteractions(page, base);
    }
  } finally {
    await browser.close();
    server.send('end');
    await once(server, 'exit');
    rmSync(home, { recursive: true, force: true });
  }
}

/** How fast the longest list is drawn while it moves. */
async function measureList(page: Page, base: string): Promise<void> {
  await page.goto(`${base}/search?path=topic-*/**`);
  const shown = await timed(() => page.locator('.virtual-list li').first().waitFor());
  const rows = await page.locator('.virtual-list li').count();
  console.log(
    `files of a glob: shown after ${shown.toFixed(0)} ms, ${rows} rows drawn, scrolling ${await frames(page, 'scrollBy(0, 900)')}`,
  );
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
