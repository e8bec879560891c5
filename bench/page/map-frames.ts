// How the map is drawn: frames while it moves, what a frame costs each process of the browser, and calls of the graphics
// library. In software rendering the process of the graphics card does on the processor what a card would do.
import type { CDPSession, Page } from 'playwright-core';

/** Seconds that each movement is followed. */
const seconds = 3;

/** What is done between two frames, as a hand would, with the canvas at hand. */
const movements = {
  'enlarged and made smaller':
    "canvas.dispatchEvent(new WheelEvent('wheel', { deltaY: turn % 40 < 20 ? -60 : 60, clientX: middle.x, clientY: middle.y, bubbles: true, cancelable: true }))",
  'moved, whole':
    "canvas.dispatchEvent(new KeyboardEvent('keydown', { key: turn % 10 < 5 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }))",
  'pointed at':
    "canvas.dispatchEvent(new PointerEvent('pointermove', { clientX: middle.x - 200 + (turn * 7) % 400, clientY: middle.y, bubbles: true }))",
  'at rest': '',
};

/** Opens the map twice and says when its two layouts are there; then moves it. */
export async function measureMap(page: Page, base: string): Promise<void> {
  for (const name of ['first opening', 'second opening']) {
    await page.goto('about:blank');
    await page.goto(`${base}/status`);
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    await page.evaluate('performance.clearResourceTimings()');
    const started = performance.now();
    await page.getByRole('link', { name: 'Map', exact: true }).click();
    await page.locator('.map canvas').waitFor({ timeout: 300_000 });
    const rough = performance.now() - started;
    await page.getByText('similar ones lie together').waitFor({ timeout: 300_000 });
    const fine = performance.now() - started;
    const asked = (await page.evaluate(
      "performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/map')).map(({ duration, transferSize }) => (duration / 1000).toFixed(2) + ' s for ' + (transferSize / 1e6).toFixed(1) + ' MB')",
    )) as string[];
    console.log(
      `map, ${name}: two axes after ${(rough / 1000).toFixed(2)} s, neighbours together after ${(fine / 1000).toFixed(2)} s (of that the server: ${asked.join(', ')})`,
    );
  }
  await page.evaluate(countCalls);
  const browser = await page.context().browser()?.newBrowserCDPSession();
  for (const [name, act] of Object.entries(movements))
    if (browser) console.log(`map, ${name}: ${await followed(page, browser, act)}`);
  await page.getByRole('button', { name: 'All', exact: true }).click();
}

/** Frames and their cost while something is done between them. */
async function followed(page: Page, browser: CDPSession, act: string): Promise<string> {
  await page.evaluate('calls = 0, filled = 0');
  const before = await usedBy(browser);
  const times = (await page.evaluate(`new Promise((resolve) => {
    const canvas = document.querySelector('.map canvas'), box = canvas.getBoundingClientRect();
    const middle = { x: box.x + box.width / 2, y: box.y + box.height / 2 };
    const times = []; let last = performance.now(), turn = 0; const end = last + ${seconds * 1000};
    const step = (now) => { times.push(now - last); last = now; turn += 1; setTimeout(() => { ${act} }); now < end ? requestAnimationFrame(step) : resolve(times); };
    requestAnimationFrame(step);
  })`)) as number[];
  const after = await usedBy(browser);
  const sorted = times.slice(1).sort((a, b) => a - b);
  const each = (name: keyof typeof after) => ((after[name] - before[name]) / times.length).toFixed(1);
  const { calls, filled } = (await page.evaluate('({ calls, filled })')) as { calls: number; filled: number };
  const rate = (times.length * 1000) / times.reduce((sum, time) => sum + time, 0);
  const slow = (sorted[Math.floor(sorted.length * 0.95)] ?? 0).toFixed(0);
  return `${rate.toFixed(0)} frames a second (p95 ${slow} ms); of the processor a frame takes ${each('page')} ms in the page and ${each('graphics')} ms where a graphics card would draw; ${(calls / times.length).toFixed(1)} draw calls, ${(filled / times.length).toFixed(1)} buffers filled`;
}

/** Counts what is asked of the graphics library. */
const countCalls = `(() => {
  globalThis.calls = 0; globalThis.filled = 0;
  const context = WebGL2RenderingContext.prototype, { drawElements, bufferData } = context;
  context.drawElements = function (...words) { calls += 1; return drawElements.apply(this, words); };
  context.bufferData = function (...words) { filled += 1; return bufferData.apply(this, words); };
})()`;

/** Milliseconds of the processor that the processes of the page and of the graphics card have used: others may use the machine. */
async function usedBy(browser: CDPSession): Promise<{ page: number; graphics: number }> {
  const { processInfo } = await browser.send('SystemInfo.getProcessInfo');
  const used = (wanted: string) =>
    processInfo.reduce((sum, { type, cpuTime }) => (type === wanted ? sum + cpuTime * 1000 : sum), 0);
  return { page: used('renderer'), graphics: used('GPU') };
}
