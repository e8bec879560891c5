import { describe, expect, test } from 'vitest';
import { browserProgram, look } from './browser.ts';
import { corpus } from './corpus.ts';
import { sharedPage, soon } from './open-page.ts';

describe.skipIf(!browserProgram)('the map (needs chromium)', () => {
  const opened = sharedPage(corpus);

  test('the map places chunks, lights up hits, and what is chosen becomes a filter', async () => {
    const { running, id, page } = opened();
    await page.goto(`${running.url}/#/${id}/search?query=storm on the lake`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route('**/map', async (route) => {
      if (route.request().postData()?.includes('"fine":true')) await released;
      await route.continue();
    });
    await page.getByRole('link', { name: 'On the map' }).click();
    await page.getByRole('img', { name: /^Map of \d+ chunks$/ }).waitFor();
    await soon(() => page.locator('.map-bar').textContent()).toMatch(/a first sketch/);
    release();
    await soon(() => page.locator('.map-bar').textContent()).toMatch(/similar ones lie together/);
    expect(await page.getByLabel('Light up hits').inputValue()).toBe('storm on the lake');
    await soon(() => page.locator('.map-bar').textContent()).toMatch(/strong hit/);
    // What is drawn can be read until it is shown.
    const drawn = `(() => { const canvas = document.querySelector('.map canvas'); dispatchEvent(new Event('resize'));
      const gl = canvas.getContext('webgl2'); const pixels = new Uint8Array(canvas.width * canvas.height * 4);
      gl.readPixels(0, 0, canvas.width, canvas.height, gl.RGBA, gl.UNSIGNED_BYTE, pixels);
      return pixels.filter((value, index) => index % 4 === 3 && value > 0).length; })()`;
    await soon(() => page.evaluate(drawn)).toBeGreaterThan(20);
    await look(page, 'map');
    await page.unroute('**/map');
    await page.locator('.areas button').first().click();
    await soon(() => page.locator('.chosen').textContent()).toMatch(/chosen.*Search in these/s);
    await page.getByRole('radio', { name: 'type' }).check();
    await soon(() => page.locator('.legend').textContent()).toMatch(/code \d/);
    await page.getByRole('radio', { name: 'age' }).check();
    await soon(() => page.locator('.legend').textContent()).toMatch(/last 7 days \d/);
    await page.getByRole('radio', { name: 'folder' }).check();
    await soon(() => page.locator('.legend').textContent()).toMatch(/docs \d.*src \d|src \d.*docs \d/);
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map canvas').boundingBox()) ?? {};
    const { result } = await running.client.call(id, 'map', { fine: true });
    const { points } = result as { points: Record<'x' | 'y', number[]> & { citation: string[] } };
    const [across, down] = [Math.min(width, height * 1.7), Math.min(height, width * 1.7)];
    const left = x + width / 2 + ((points.x[0] ?? 0) / 65_535 - 0.5) * 0.95 * across;
    const top = y + height / 2 - ((points.y[0] ?? 0) / 65_535 - 0.5) * 0.95 * down;
    /** How many names a pointer that moves there shows; it moves until the picture has followed what was done to it. */
    const namesThere = async () => {
      await page.mouse.move(left, top);
      await page.mouse.move(left + 1, top);
      return page.locator('.pointed').count();
    };
    await soon(namesThere).toBe(1);
    // What is enlarged around the pointer stays below it.
    await page.mouse.wheel(0, -400);
    await soon(namesThere).toBe(1);
    const pointed = await page.locator('.pointed').textContent();
    expect(points.citation).toContain(pointed);
    await page.mouse.click(left + 1, top);
    await soon(() => page.locator('#passage-title').textContent()).toBe(pointed);
    await soon(() => page.locator('dialog.passage .line.is-lit').count()).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    // By keys: away from the point, and back to the whole.
    await page.locator('.map canvas').focus();
    for (let turn = 0; turn < 8; turn += 1) await page.keyboard.press('ArrowRight');
    await soon(namesThere).toBe(0);
    await page.keyboard.press('0');
    await soon(namesThere).toBe(1);
    await page.getByRole('button', { name: 'Choose' }).click();
    // The corners of the canvas are rounded: nothing is hit there.
    const edge = 12;
    const corners = [
      [edge, edge],
      [width - edge, edge],
      [width - edge, height - edge],
      [edge, height - edge],
    ];
    await page.mouse.move(x + edge, y + edge);
    await page.mouse.down();
    for (const [right = 0, down = 0] of corners) await page.mouse.move(x + right, y + down);
    await page.mouse.up();
    await soon(() => page.locator('.chosen').textContent()).toMatch(/chunks? of \d+ documents? chosen/);
    await look(page, 'map-chosen');
  });

  test('of a large corpus a fair sample is placed at first, and all where the reader wants them', async () => {
    const { page } = opened();
    // A corpus is large here that has more than five chunks.
    await page.route('**/map', async (route) => {
      const asked = route.request().postData()?.replace('"limit":12000', '"limit":5') ?? '';
      await route.continue({ postData: asked });
    });
    await page.reload();
    const said = () => page.locator('.map-bar').textContent();
    await soon(said).toMatch(/5 chunks of \d+, evenly from all documents, similar ones lie together/);
    await page.locator('.areas button').first().click();
    await page.locator('.chosen').waitFor();
    await page.getByRole('button', { name: 'Place all' }).click();
    await soon(said).toMatch(/(?:[6-9]|\d\d) chunks, similar ones lie together/);
    expect(await page.locator('.chosen').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Place all' }).count()).toBe(0);
    await page.unroute('**/map');
  });
});
