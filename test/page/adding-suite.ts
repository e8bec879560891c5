import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { browserProgram, look } from './browser.ts';
import { sharedPage, soon } from './open-page.ts';

describe.skipIf(!browserProgram)('a folder comes to the page (needs chromium)', () => {
  const opened = sharedPage({ 'a.md': '# A\n\nOne.\n' });
  const open = (view: string) => opened().page.getByRole('link', { name: view, exact: true }).click();

  test('a folder that is dropped on the page is found, indexed at once, and asked what its own files answer', async () => {
    const { page, context } = opened();
    await open('Status');
    const boats = join(process.env.HOME ?? '', 'my files', 'Boat house');
    const texts = {
      'quarry.toml': '[embedder]\ndriver = "hashing"\n',
      'moor.md': '# How a boat is moored\n\nWith two ropes.\n',
      'oar.ts': '/** Lends an oar. */\nexport function lendOar(boat: string): string {\n  return boat;\n}\n',
      'build.tmp.png': 'x',
      'node_modules/other/index.js': 'export {};\n',
    };
    for (const [path, text] of Object.entries(texts)) {
      await mkdir(dirname(join(boats, path)), { recursive: true });
      await writeFile(join(boats, path), text);
    }
    const devices = await context.newCDPSession(page);
    const data = { items: [], files: [boats], dragOperationsMask: 7 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await devices.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data });
    // Nothing else is asked for: the page leads to what was found.
    await soon(() => page.url()).toContain('/Boat-house/search');
    await soon(() => page.locator('.beginning').textContent()).toMatch(
      /3 documents.*Left out: .*installed \(\d+\)/s,
    );
    const ways = page.locator('.ways dt');
    await soon(() => ways.count()).toBe(3);
    await look(page, 'beginning-new');
    for (const query of await ways.allTextContents()) {
      await page.locator('.ways').getByRole('button', { name: query, exact: true }).click();
      await page.locator('.hit').first().waitFor();
      await page.goBack();
      await ways.first().waitFor();
    }
  });

  test('of a project that is closed its size and age are said without opening it', async () => {
    const { running, page } = opened();
    await open('Projects');
    const folder = await running.folder({ '.quarry/index-1/index.sqlite': 'x'.repeat(2048) });
    await running.client.request('POST', '/v1/projects', { id: 'attic', folder });
    const row = page.locator('tr', { hasText: 'attic' });
    await soon(() => row.textContent()).toMatch(/2\.0 KB, written .*closed/);
    const { open: isOpen } = (await running.client.request('GET', '/v1/projects/attic')) as { open: boolean };
    expect(isOpen).toBe(false);
    await running.client.request('DELETE', '/v1/projects/attic');
    await soon(() => row.count()).toBe(0);
  });

  test('a folder is chosen from a list or typed as a whole path, and one that is not there is not added', async () => {
    const { running, page, id } = opened();
    await open('Projects');
    const folder = await running.folder({ 'a.md': '# A\n' });
    await page.getByRole('button', { name: 'Choose…' }).click();
    const chooser = page.getByRole('group', { name: 'Folders' });
    await chooser.getByRole('button', { name: 'my files' }).click();
    await chooser.getByRole('button', { name: 'Boat house' }).waitFor();
    await look(page, 'projects-choose');
    await chooser.getByRole('button', { name: /around it/ }).click();
    await chooser.getByRole('button', { name: 'my files' }).waitFor();
    const typed = page.getByLabel('Folder of this machine');
    await typed.fill('/no/such/folder');
    await page.getByRole('button', { name: 'Index it' }).click();
    await soon(() => page.getByRole('alert').textContent()).toMatch(/\/no\/such\/folder does not exist/);
    await typed.fill('my/docs');
    await page.getByRole('button', { name: 'Index it' }).click();
    await soon(() => page.getByRole('alert').textContent()).toMatch(/not a whole path.*Type the whole path/s);
    expect(await page.getByRole('rowheader', { name: 'docs' }).count()).toBe(0);
    await typed.fill(folder);
    await page.getByRole('button', { name: 'Index it' }).click();
    await soon(() => page.url()).toContain(`/${basename(folder)}/search`);
    await page.goto(`${running.url}/#/${id}/status`);
  });

  test('files that a link lists are seen as soon as they are indexed, by whichever process', async () => {
    const { running, page, id } = opened();
    const folder = await running.folder({
      'quarry.toml': '[embedder]\ndriver = "hashing"\n',
      'docs/moor.md': '# How a boat is moored\n\nWith two ropes.\n',
    });
    const { id: added } = await running.client.openFolder(folder);
    await page.goto(`${running.url}/#/${added}/search?path=docs/**`);
    await page.getByText('Nothing is indexed yet').waitFor();
    expect(await page.getByText('No file passes').count()).toBe(0);
    await running.client.call(added, 'index', {});
    await soon(() => page.locator('.virtual-list li').allTextContents()).toEqual([
      expect.stringContaining('moor.md'),
    ]);
    await page.goto(`${running.url}/#/${id}/status`);
  });

  test('where there is no project, the page says what it is for and leads to adding a folder, with no empty list or table', async () => {
    const { running, page } = opened();
    const { projects } = (await running.client.request('GET', '/v1/projects')) as {
      projects: { id: string }[];
    };
    for (const { id } of projects) await running.client.request('DELETE', `/v1/projects/${id}`);
    await page.goto(`${running.url}/#/`);
    await page.reload();
    await page.getByRole('heading', { name: 'No project yet' }).waitFor();
    expect(await page.getByRole('combobox', { name: 'Project' }).count()).toBe(0);
    await look(page, 'no-project');
    await page.getByRole('link', { name: 'Add a folder' }).click();
    await page.getByLabel('Folder of this machine').waitFor();
    expect(await page.getByRole('table').count()).toBe(0);
    await look(page, 'no-project-projects');
  });
});
