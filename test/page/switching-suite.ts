import { basename, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { waitForLock } from '../../src/platform/sqlite/writer-lock.ts';
import { type ChatServer, startChatServer } from '../servers/chat/chat-server.ts';
import { browserProgram } from './browser.ts';
import { sharedPage, soon } from './open-page.ts';

const settings = '[embedder]\ndriver = "hashing"\n';

describe.skipIf(!browserProgram)('a reader who goes to another project (needs chromium)', () => {
  const opened = sharedPage({
    'quarry.toml': settings,
    'storm.md': '# Storm\n\nAll boats return when the wind is strong.\n',
  });
  let model: ChatServer;
  let other: string;
  let otherFolder: string;
  beforeAll(async () => {
    const { running, id } = opened();
    model = await startChatServer({
      protocol: 'openai',
      write: () => ['Boats return 0 [1]. ', 'Boats return 1 [1]. '],
      // The rest never comes.
      afterPiece: () => new Promise(() => {}),
    });
    const garden = await running.folder({
      'quarry.toml': settings,
      'roses.md': '# Roses\n\nRoses are cut when the wind is weak.\n',
      'tulips.md': '# Tulips\n\nTulips are planted in autumn.\n',
    });
    otherFolder = garden;
    ({ id: other } = await running.client.openFolder(garden));
    await running.client.call(other, 'index', {});
    await running.client.call(id, 'consent give', { address: model.url });
    await running.client.call(id, 'config set', {
      changes: ['generator.driver=openai', `generator.url=${model.url}`, 'generator.model=m'],
    });
  });
  afterAll(() => model?.close());

  const goTo = (project: string) =>
    opened().page.getByRole('combobox', { name: 'Project', exact: true }).selectOption(project);
  /** Asks, and waits until the answer is being written. */
  const ask = async () => {
    const { page } = opened();
    const asked = model.calls.length;
    await page.getByRole('textbox', { name: 'Question' }).fill('When do boats return?');
    await page.getByRole('textbox', { name: 'Question' }).press('Enter');
    // The last answer that is shown may be a previous one until the model was asked.
    await soon(() => model.calls.length).toBe(asked + 1);
    await soon(() => page.locator('.answer').last().textContent()).toMatch(/^Boats return 0/);
  };
  const shown = () => opened().page.locator('main').textContent();

  test('stops the answer that is being written, and sees nothing of it there', async () => {
    const { running, page, id } = opened();
    await page.goto(`${running.url}/#/${id}/ask`);
    await page.reload();
    await ask();
    await goTo(other);
    await page.getByText('An answer is made from the files').waitFor();
    await soon(() => model.left()).toBe(1);
    expect(await shown()).not.toMatch(/boats/i);
    expect(await page.getByRole('button', { name: 'Stop' }).count()).toBe(0);
    expect(await page.evaluate(`localStorage.getItem('quarry.answers.${other}')`)).toBeNull();
    await goTo(id);
    await page.getByText('Stopped.').waitFor();
    expect(await page.locator('.answer').textContent()).toMatch(/^Boats return 0/);
  });

  test('stops it also from another view', async () => {
    const { page, id } = opened();
    const before = model.left();
    await ask();
    await page.getByRole('link', { name: 'Status', exact: true }).click();
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    expect(model.left()).toBe(before);
    await goTo(other);
    await soon(() => model.left()).toBe(before + 1);
    await goTo(id);
  });

  test('finds there what is there, though a search of the previous project was under way', async () => {
    const { running, page, id, folder } = opened();
    await page.goto(`${running.url}/#/${id}/search`);
    await page.reload();
    // Where the page was when it asked: the browser may report a request long after it was made.
    await page.evaluate(`(() => {
      const { fetch } = window;
      window.asked = [];
      window.fetch = (...given) => {
        window.asked.push([location.hash.split('/')[1], String(given[0])]);
        return fetch(...given);
      };
    })()`);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const searches = `**/v1/projects/${id}/search`;
    await page.route(searches, async (route) => {
      await released;
      await route.continue().catch(() => undefined);
    });
    // Addresses name a project by its folder as soon as the page knows it.
    const namesOf = new Map([
      [id, basename(folder)],
      [other, basename(otherFolder)],
    ]);
    const asked = async (from: string, of: string) =>
      ((await page.evaluate('window.asked')) as [string, string][]).filter(
        ([project, address]) =>
          [from, namesOf.get(from)].includes(project) && address.endsWith(`/projects/${of}/search`),
      ).length;
    await page.getByRole('searchbox').pressSequentially('wind', { delay: 20 });
    await soon(() => asked(id, id)).toBeGreaterThan(0);
    // More letters, which nobody has asked about yet.
    await page.getByRole('searchbox').pressSequentially(' strong');
    await goTo(other);
    await soon(() => page.getByRole('searchbox').inputValue()).toBe('');
    release();
    await page.getByRole('searchbox').fill('wind');
    await soon(() => page.locator('.hit .citation').first().textContent()).toContain('roses.md');
    expect(await asked(other, other)).toBeGreaterThan(0);
    expect(await asked(other, id)).toBe(0);
    expect(await shown()).not.toMatch(/storm|boats/i);
    await page.unroute(searches);
  });

  test('sees no run of the previous project, which continues and is followed by a reader that comes back', async () => {
    const { running, page, id, folder } = opened();
    // The run waits for its turn until this lock is let go.
    const lock = await waitForLock(join(folder, '.quarry', 'writer.lock'));
    await page.goto(`${running.url}/#/${id}/status`);
    await page.getByRole('button', { name: 'Index all again' }).click();
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    await goTo(other);
    await page.getByRole('heading', { name: 'Indexed 3 chunks' }).waitFor();
    await soon(() => page.getByRole('button', { name: 'Index changes' }).isEnabled()).toBe(true);
    expect(await page.locator('.job').count()).toBe(0);
    await goTo(id);
    await page.getByRole('button', { name: 'Stop' }).waitFor();
    lock.release();
    await soon(() => page.locator('.job').textContent()).toMatch(/Run ended/);
  });

  test('gets where a link leads that is followed while the page still writes the name of the project into the address', async () => {
    const { running, page, id } = opened();
    // On a busy machine the event comes that late, and the page hears of an address long after it is there.
    await page.addInitScript(`addEventListener('hashchange', (event) => {
      if (!window.isLate || !event.isTrusted) return;
      event.stopImmediatePropagation();
      setTimeout(() => dispatchEvent(new HashChangeEvent('hashchange')), 1000);
    })`);
    await page.goto(`${running.url}/#/${id}/status`);
    await page.reload();
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    const address = await page.evaluate(`new Promise((resolve) => {
      window.isLate = true;
      const choice = document.querySelector('select:has(option[value="${other}"])');
      choice.value = '${other}';
      choice.dispatchEvent(new Event('change', { bubbles: true }));
      location.hash = '/${id}/search?query=wind';
      setTimeout(() => {
        window.isLate = false;
        resolve(location.hash);
      }, 1500);
    })`);
    expect(address).toMatch(/search\?query=wind$/);
    await soon(() => page.locator('.hit .citation').first().textContent()).toContain('storm.md');
    await soon(() => page.url()).toContain(`#/${basename(opened().folder)}/search`);
  });

  test('finds that one which is disabled says so in every view, and nothing looks empty', async () => {
    const { running, page } = opened();
    const off = await running.folder({ 'quarry.toml': 'enabled = false\n', 'storm.md': '# Storm\n' });
    const { id } = await running.client.openFolder(off);
    for (const to of ['search', 'search?query=storm', 'search?path=**', 'status', 'map', 'projects']) {
      await page.goto(`${running.url}/#/${id}/${to}`);
      await soon(shown, { message: to }).toMatch(/is disabled.*Set enabled = true in quarry\.toml/s);
      expect
        .soft(await shown(), to)
        .not.toMatch(/Nothing found|Empty|never|\b0 hits|No file passes|No vectors/);
    }
    await page.goto(`${running.url}/#/${id}/status`);
    await page.getByRole('heading', { name: 'Disabled' }).waitFor();
    expect(await page.getByRole('button', { name: /^Index/ }).count()).toBe(0);
    await page.goto(`${running.url}/#/${id}/ask`);
    await page.getByRole('textbox', { name: 'Question' }).fill('When do boats return?');
    await page.getByRole('textbox', { name: 'Question' }).press('Enter');
    await soon(shown).toMatch(/is disabled.*Set enabled = true/s);
    expect(await shown()).not.toMatch(/do not say/);
    await running.client.request('DELETE', `/v1/projects/${id}`);
  });
});
