import type { Page } from 'playwright-core';

/** What a person does in each view, after it was opened with these words behind its address. */
const views: readonly {
  readonly name: string;
  readonly address: string;
  act(page: Page): Promise<void>;
}[] = [
  {
    name: 'search',
    address: 'search',
    async act(page) {
      await page.getByRole('searchbox').pressSequentially('w3x1 w3x2', { delay: 120 });
      await page.locator('.hit').first().waitFor();
      await page.getByRole('button', { name: 'Why here' }).first().click();
      await page.getByRole('searchbox').press('ArrowDown');
      for (const key of ['j', 'j', 'w', 'n']) await page.keyboard.press(key);
    },
  },
  {
    name: 'files of a glob',
    address: 'search?path=topic-*/**',
    async act(page) {
      await page.locator('.virtual-list li').first().waitFor();
      for (let turn = 0; turn < 5; turn += 1) await page.keyboard.press('PageDown');
      await page.locator('.virtual-list .path').nth(20).click();
      await page.locator('dialog.passage .code').waitFor();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'ask',
    address: 'ask',
    async act(page) {
      await page.getByLabel('Question').pressSequentially('what is w3x1', { delay: 60 });
      await page.getByLabel('Question').press('Enter');
      await page.locator('.origin').last().waitFor();
      // An answer that the files do not give has no sources.
      const source = page.locator('.sources .link').first();
      if (await source.isVisible()) await source.click();
      await page.keyboard.press('Escape');
    },
  },
  {
    name: 'status',
    address: 'status',
    async act(page) {
      await page.getByRole('radio', { name: /^Left out/ }).check();
      await page.getByLabel('Filter the list').pressSequentially('own', { delay: 60 });
    },
  },
  {
    name: 'settings',
    address: 'settings',
    async act(page) {
      await page.getByLabel('Filter the settings').pressSequentially('search', { delay: 60 });
      await page.getByLabel('search.top_k', { exact: true }).fill('7');
      await page.locator('.diff').waitFor();
      await page.getByRole('button', { name: 'Discard' }).click();
    },
  },
  {
    name: 'map',
    address: 'map',
    async act(page) {
      await page.getByText('similar ones lie together').waitFor({ timeout: 300_000 });
      for (const by of ['folder', 'age', 'type']) await page.getByRole('radio', { name: by }).check();
      for (const name of ['Enlarge', 'Enlarge', 'All'])
        await page.getByRole('button', { name, exact: true }).click();
      await page.locator('.map canvas').click({ position: { x: 300, y: 200 } });
      await page.keyboard.press('Escape');
      await page.locator('.map canvas').focus();
      for (const key of ['+', 'ArrowRight', 'ArrowDown', '0']) await page.keyboard.press(key);
      await page.getByRole('button', { name: 'Choose' }).click();
      await circle(page);
      await page.locator('.chosen').waitFor();
      await page.getByLabel('Light up hits').pressSequentially('w3x1', { delay: 60 });
      await page.getByRole('button', { name: 'Light up' }).click();
      await page.getByText(/strong hits? lit|no strong hit/).waitFor();
    },
  },
];

/** Draws a circle around most of the map, as a hand does. */
async function circle(page: Page): Promise<void> {
  const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map canvas').boundingBox()) ?? {};
  const at = (turn: number) =>
    [x + width / 2 + width * 0.45 * Math.cos(turn), y + height / 2 + height * 0.45 * Math.sin(turn)] as const;
  await page.mouse.move(...at(0));
  await page.mouse.down();
  for (let step = 1; step <= 150; step += 1) await page.mouse.move(...at((step / 150) * 2 * Math.PI));
  await page.mouse.up();
}

/** Acts in every view and says how long keys and clicks took until the next picture, by the browser's own event timing. */
export async function measureInteractions(page: Page, base: string): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${base}/search`);
  await page.evaluate(`window.slow = []; new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (entry.interactionId) slow.push(entry.duration);
  }).observe({ type: 'event', durationThreshold: 16, buffered: true })`);
  let worst = 0;
  for (const { name, address, act } of views) {
    await page.evaluate('slow.length = 0');
    await page.goto(`${base}/${address}`);
    await act(page);
    // Entries come after the picture they are about.
    await page.waitForTimeout(300);
    const slow = ((await page.evaluate('slow')) as number[]).sort((a, b) => b - a);
    worst = Math.max(worst, slow[0] ?? 0);
    console.log(
      `  ${name}: worst ${slow[0] ?? 'under 16'} ms, median ${slow[slow.length >> 1] ?? 'under 16'} ms of ${slow.length} events of 16 ms or more`,
    );
  }
  console.log(`interaction to next paint, the worst of all views: ${worst} ms (good is under 200)`);
}
