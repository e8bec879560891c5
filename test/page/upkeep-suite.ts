import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { evalOperation } from '../../src/operations/evaluation/eval.ts';
import { waitForLock } from '../../src/platform/sqlite/writer-lock.ts';
import { resultOf } from '../../src/platform/streams.ts';
import { openProject } from '../../src/project/open-project.ts';
import { createLaptop } from '../../src/surfaces/http/file-agent/file-agent.fixture.ts';
import { rawClient } from '../../src/surfaces/http/fuzz/raw-client.fixture.ts';
import { type ChatServer, startChatServer } from '../servers/chat/chat-server.ts';
import { startOpenAiServer } from '../servers/embedding/openai-server.ts';
import { browserProgram, look, picture } from './browser.ts';
import { sharedPage, soon } from './open-page.ts';

/** It turns around what follows: it would look like a picture. */
const turnedName = '\u202egnp.exe.md';
const hostileName = '"><img src=x onerror=alert(5)>.md';
const many = Object.fromEntries(
  Array.from({ length: 300 }, (_, day) => [
    `logs/day-${day}.md`,
    `# Day ${day}\n\nTrip ${day} of the skiff.\n`,
  ]),
);
const files = {
  'quarry.toml': '[embedder]\ndriver = "hashing"\n\n[index]\nexclude = ["secret/**"]\n',
  'storm.md': '# Storm\n\nAll boats return when the wind is strong.\n',
  'price.md': '# Prices\n\nA skiff costs twelve an hour.\n',
  [`logs/${hostileName}`]: '# Odd\n\nA file with an odd name.\n',
  [`odd/${turnedName}`]: '# Turned\n\nA name that turns around.\n',
  'broken.pdf': 'this is no PDF',
  'big.log': '2026-01-31 12:00:00 INFO The jetty is open.\n'.repeat(60_000),
  'odd/half.ts': 'export const whole = 1;\nexport function half( {{{ \n',
  'secret/plan.md': 'left out by a rule',
  ...many,
};

describe.skipIf(!browserProgram)('the page of who keeps an index (needs chromium)', () => {
  let model: ChatServer | undefined;
  afterAll(() => model?.close());
  const opened = sharedPage(files);

  const open = (view: string) => opened().page.getByRole('link', { name: view, exact: true }).click();

  test('a glob alone lists its files, however many and whatever their names', async () => {
    const { running, id, page } = opened();
    await page.goto(`${running.url}/#/${id}/search?path=logs/**`);
    await soon(() => page.locator('.summary').textContent()).toMatch(/301 files pass the filters/);
    const rows = page.locator('.virtual-list li');
    expect(await rows.count()).toBeLessThan(120);
    expect(await rows.first().textContent()).toContain(hostileName);
    await look(page, 'search-files');
    await soon(async () => {
      await page.evaluate('scrollTo(0, document.body.scrollHeight)');
      return rows.last().getAttribute('aria-posinset');
    }).toBe('301');
    expect(await rows.count()).toBeLessThan(120);
    await page.evaluate('scrollTo(0, 0)');
    await page.getByRole('button', { name: hostileName }).click();
    await soon(() => page.locator('dialog.passage').textContent()).toContain('A file with an odd name');
    expect(await page.locator('main img, main script').count()).toBe(0);
    await page.getByRole('button', { name: 'Close' }).click();
    await page.goto(`${running.url}/#/${id}/search?path=odd/**`);
    await soon(() => page.locator('.virtual-list').textContent()).toContain('odd/\\u{202e}gnp.exe.md');
  });

  test('a hit leads to the editor, and a search that is no longer wanted is stopped', async () => {
    const { running, id, page } = opened();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const searches = `**/v1/projects/${id}/search`;
    let asked = 0;
    await page.route(searches, async (route) => {
      asked += 1;
      // Every one takes long but that for all the words.
      if (!route.request().postData()?.includes('trip of a skiff')) await released;
      await route.continue().catch(() => undefined);
    });
    await page.goto(`${running.url}/#/${id}/search`);
    await page.getByRole('searchbox').pressSequentially('trip');
    await soon(() => asked).toBeGreaterThan(0);
    const stopped = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/${id}/search`));
    await page.getByRole('searchbox').pressSequentially(' of a skiff');
    await stopped;
    release();
    await page.locator('.hit').first().waitFor();
    await page.unroute(searches);
    const link = await page.locator('.pane a', { hasText: 'Open' }).getAttribute('href');
    expect(link).toMatch(/^vscode:\/\/file\/.+\.md:\d+$/);
  });

  test('what is circled on the map becomes a filter: of folders where there are many documents', async () => {
    const { page } = opened();
    await open('Map');
    await soon(() => page.locator('.map-bar').textContent()).toMatch(/similar ones lie together/);
    await page.getByRole('radio', { name: 'folder' }).check();
    await look(page, 'map-folders');
    await page.getByRole('button', { name: 'Choose' }).click();
    const { x = 0, y = 0, width = 0, height = 0 } = (await page.locator('.map canvas').boundingBox()) ?? {};
    await page.mouse.move(x + 12, y + 12);
    await page.mouse.down();
    for (const [right = 0, down = 0] of [
      [width - 12, 12],
      [width - 12, height - 12],
      [12, height - 12],
    ])
      await page.mouse.move(x + right, y + down);
    await page.mouse.up();
    await soon(() => page.locator('.chosen').textContent()).toMatch(/chunks of 30\d documents chosen/);
    await page.getByRole('link', { name: 'Search in their folders' }).click();
    await soon(() => page.locator('.summary').textContent()).toMatch(/30\d files pass the filters/);
    expect(decodeURIComponent(page.url())).toContain('logs/**');
  });

  test('an empty project and one that is not open say what to do', async () => {
    const { running, page, id } = opened();
    const empty = await running.folder({
      'quarry.toml': '[embedder]\ndriver = "hashing"\n[index]\ninclude = ["*.md"]\n',
    });
    const { id: emptyId } = await running.client.openFolder(empty);
    await page.goto(`${running.url}/#/${emptyId}/search`);
    await page.getByText('Nothing is indexed yet').waitFor();
    await look(page, 'search-empty');
    await open('Map');
    await page.getByRole('heading', { name: 'Nothing to draw yet' }).waitFor();
    await look(page, 'map-empty');
    await page.getByRole('link', { name: 'See the status' }).click();
    await page.getByRole('heading', { name: 'Empty' }).waitFor();
    await look(page, 'status-empty');
    await open('Ask');
    await page.getByText('An answer is made from the files').waitFor();
    await look(page, 'ask-empty');
    await page.goto(`${running.url}/#/${emptyId}/searhc?query=boat`);
    await page.getByRole('heading', { name: 'There is nothing at this address' }).waitFor();
    await look(page, 'unknown-view');
    // It is none of the views, so none is marked as the one that is open.
    expect(await page.locator('.bar [aria-current]').count()).toBe(0);
    await page.goto(`${running.url}/#/long-gone/search`);
    await page.getByRole('heading', { name: 'This project is not open here' }).waitFor();
    await look(page, 'unknown-project');
    await page.keyboard.press('?');
    await page.getByRole('heading', { name: 'Actions and keys' }).waitFor();
    await look(page, 'keys');
    await page.keyboard.press('Escape');
    await page.goto(`${running.url}/#/${id}/search`);
    await page.getByRole('searchbox').waitFor();
  });

  test('evaluations are listed, and two are compared question by question', async () => {
    const { folder, page } = opened();
    await open('Evaluation');
    await page.getByRole('heading', { name: 'Nothing measured yet' }).waitFor();
    await look(page, 'evaluation-empty');
    await page.getByRole('link', { name: 'Search for something' }).waitFor();
    const evaluate = async (labels: Readonly<Record<string, string>>) => {
      const lines = Object.entries(labels).map(([text, path]) =>
        JSON.stringify({ id: text, text, relevant: [path] }),
      );
      await writeFile(join(folder, 'questions.jsonl'), lines.join('\n'));
      const project = await openProject(folder);
      try {
        const input = evalOperation.input.parse({ sets: [join(folder, 'questions.jsonl')], modes: true });
        await resultOf(evalOperation.run(project, input, {}));
      } finally {
        await project.close();
      }
    };
    // The labels change between the two: one question rises, one falls, one stays.
    await evaluate({
      'boats return storm': 'price.md',
      'skiff costs': 'price.md',
      '\u202estrong wind': 'storm.md',
    });
    await page.reload();
    await soon(() => page.locator('.report-table tbody tr').count()).toBe(3);
    await soon(() => page.locator('.asked').count()).toBe(3);
    expect(await page.getByRole('img', { name: /^nDCG@10, recall@10/ }).count()).toBe(1);
    expect(await page.locator('main').textContent()).toContain('\\u{202e}strong wind');
    expect(await page.locator('main').textContent()).not.toContain('\u202e');
    await look(page, 'evaluation-one');
    await evaluate({
      'boats return storm': 'storm.md',
      'skiff costs': 'storm.md',
      '\u202estrong wind': 'storm.md',
    });
    await page.getByRole('button', { name: 'Refresh' }).click();
    await soon(() => page.locator('.report-table tbody tr').count()).toBe(6);
    await soon(() => page.locator('.verdict').textContent()).toMatch(
      /has too few questions.*95 % interval.*1 won, 1 lost, 1 equal/s,
    );
    expect(await page.getByRole('img', { name: /question by question/ }).count()).toBe(1);
    // Asked again, the same questions have a line from the first result to the last.
    await page.getByRole('img', { name: /^engine: nDCG@10 0\.\d+ (just now|.* ago), [01]\.\d+/ }).waitFor();
    await look(page, 'evaluation');
    await page.getByRole('radio', { name: /^fell/ }).check();
    await soon(() => page.locator('.asked').count()).toBe(1);
    await page.locator('.asked summary').click();
    await soon(() => page.locator('.asked-found').textContent()).toContain('price.md');
    // Another pair: two runs of the same evaluation.
    await page
      .getByRole('radio', { name: /^Before: text/ })
      .first()
      .check();
    await soon(() => page.locator('#comparison-title').textContent()).toMatch(/^engine against text/);
    expect(page.url()).toContain('before_run=text');
    await page.getByRole('radio', { name: /^all/ }).check();
    const asked = page.locator('.asked', { hasText: 'skiff costs' });
    await asked.locator('summary').click();
    await asked.getByRole('link', { name: 'Search for it now' }).click();
    await soon(() => page.getByRole('searchbox').inputValue()).toBe('skiff costs');
  });

  test('machines that send files are shown while they are connected, and what their push came to', async () => {
    const { running, page } = opened();
    await open('Projects');
    await page.getByText('None is connected').waitFor();
    await running.receiver('notes');
    const laptop = await createLaptop(running.home, { 'a.md': '# A\n\nOne.\n', 'b.md': '# B\n\nTwo.\n' });
    const { url, client } = running;
    const made = await client.call('notes', 'token create', { name: 'sender', write: true });
    const { token, id } = made.result as { token: string; id: string };
    await laptop.push(url, { server: { url, token } });
    const row = page.locator('.agents tbody tr');
    await soon(() => row.first().textContent()).toMatch(/notes.*2 files.*2 new.*pushed/s);
    const raw = await rawClient(url, token);
    await raw.start('notes');
    await soon(() => page.locator('.agents').textContent()).toMatch(/1 machine connected.*sends files/s);
    await look(page, 'projects-agents');
    // What hangs on a token ends with it.
    await client.call('notes', 'token revoke', { id }, { confirmed: true });
    await soon(() => row.first().textContent()).toMatch(/left .* before the end/);
  });

  test('a project is forgotten only when it is meant, and leaving the question takes it back', async () => {
    const { page } = opened();
    await soon(() => page.locator('table.plain').first().textContent()).toMatch(
      /\d documents?, [\d.]+ [KM]?B, read /,
    );
    const forget = page.getByRole('button', { name: 'Forget notes' });
    await forget.click();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Forget notes', exact: true }).dblclick();
    expect(await page.getByRole('rowheader', { name: 'notes', exact: true }).count()).toBe(1);
    await page.getByRole('button', { name: 'Forget notes: ' }).click();
    await soon(() => page.getByRole('rowheader', { name: 'notes', exact: true }).count()).toBe(0);
  });

  test('what is not in the index is listed with its reason, and can be filtered', async () => {
    const { page } = opened();
    await open('Status');
    await page.getByRole('radio', { name: /^Read in part/ }).check();
    await soon(() => page.locator('.long-list').textContent()).toMatch(/odd\/half\.ts.*cut around/s);
    await page.getByRole('radio', { name: /^Left out/ }).check();
    await soon(() => page.locator('.long-list').textContent()).toMatch(
      /big\.log.*Raise index\.max_file_bytes/s,
    );
    expect(await page.locator('.long-list').textContent()).toContain('secret/');
    // What is broken was not left out by any rule.
    await page.getByRole('radio', { name: 'Not readable 1' }).check();
    await soon(() => page.locator('.long-list').textContent()).toMatch(/broken\.pdf.*save it again/s);
    await page.getByLabel('Filter the list').fill('no such path');
    await soon(() => page.locator('.long-list li').count()).toBe(0);
    await page.getByLabel('Filter the list').fill('');
  });

  test('the status follows the index by itself, whatever changes it', async () => {
    const { running, id, folder, page } = opened();
    await open('Status');
    const heading = () => page.getByRole('heading', { level: 1 }).textContent();
    const index = async () => {
      await running.client.call(id, 'index', {});
      const { result } = await running.client.call(id, 'status', {});
      return (result as { chunks: number }).chunks;
    };
    const before = await index();
    await soon(heading).toBe(`Indexed ${before} chunks`);
    await writeFile(join(folder, 'late.md'), '# Late\n\nA file that came later.\n');
    expect(await index()).toBe(before + 1);
    await soon(heading).toBe(`Indexed ${before + 1} chunks`);
  });

  test('a run shows its progress and can be stopped; search says what has no vector yet', async () => {
    const { running, page, id } = opened();
    const server = await startOpenAiServer({ model: 'm' });
    onTestFinished(() => server.close());
    const embedder = `driver = "openai"\nurl = "${server.url}"\nmodel = "m"\nconcurrency = 1`;
    const days = Array.from({ length: 150 }, (_, day) => [
      `day-${day}.md`,
      `# Day ${day}\n\n${`The trip of day ${day} ends at the jetty. `.repeat(20)}\n`,
    ]);
    const folder = await running.folder({
      'quarry.toml': `[embedder]\n${embedder}\n[index]\nsearch_seconds = 0\n`,
      ...Object.fromEntries(days),
    });
    const { id: slow } = await running.client.openFolder(folder);
    await running.client.call(slow, 'consent give', { address: server.url });
    // Some vectors are made; the others never come.
    server.inject({ kind: 'shuffled' }, { kind: 'silent' });
    await page.goto(`${running.url}/#/${slow}/status`);
    await page.getByRole('button', { name: 'Index changes' }).click();
    await soon(() => server.calls.length).toBe(2);
    await soon(() => page.locator('.job progress').getAttribute('max')).toMatch(/^\d+$/);
    await picture(page, 'status-running');
    // Every other view says how far it is too.
    await open('Settings');
    await soon(() => page.locator('.activity').textContent()).toMatch(/\d+ of \d+/);
    await open('Status');
    await page.getByRole('button', { name: 'Stop' }).click();
    await soon(() => page.locator('.job').textContent()).toMatch(/Stopped/);
    await soon(() => page.locator('.all-facts').textContent()).toMatch(
      /Not found by meaning yet[1-9].*found by words/,
    );
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    await page.getByRole('searchbox').fill('trip');
    await soon(() => page.locator('.pending').textContent()).toMatch(/\d pieces of text are found by words/);
    expect(await page.getByText('not yet by meaning').count()).toBe(1);
    await picture(page, 'search-pending');
    // An engine that reads a folder by itself has no run that somebody started: it says so of the project alone.
    await page.route('**/v1/projects', async (route) => {
      const response = await route.fetch();
      const { projects } = (await response.json()) as { projects: object[] };
      await route.fulfill({
        response,
        json: { projects: projects.map((each) => ({ ...each, syncing: true })) },
      });
    });
    await soon(() => page.locator('.activity').textContent()).toMatch(/Indexing: \d+ of \d+ pieces of text/);
    await page.unroute('**/v1/projects');
    // The rest is made by the next run, which says how fast.
    await open('Status');
    await page.getByRole('button', { name: 'Index changes' }).click();
    await soon(() => page.locator('.all-facts').textContent()).toMatch(/Model.*\d vectors? a second/s);
    await page.goto(`${running.url}/#/${id}/status`);
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
  });

  test('a run that one tab starts is followed and stopped in another', async () => {
    const { running, context, id, folder, page } = opened();
    await open('Status');
    const other = await context.newPage();
    await other.goto(`${running.url}/#/${id}/status`);
    await other.getByRole('heading', { name: /^Indexed/ }).waitFor();
    // The run waits for its turn for as long as this lock is held.
    const lock = await waitForLock(join(folder, '.quarry', 'writer.lock'));
    await page.getByRole('button', { name: 'Index all again' }).click();
    await other.getByRole('button', { name: 'Stop' }).click();
    for (const tab of [page, other]) await soon(() => tab.locator('.job').textContent()).toMatch(/Stopped/);
    lock.release();
    await other.close();
  });

  test('a setting that needs another index says so, and shows the run that it starts', async () => {
    const { page } = opened();
    await open('Settings');
    await page.getByLabel('Filter the settings').fill('chunking');
    await page.getByLabel('chunking.sizes', { exact: true }).selectOption('large');
    await soon(() => page.locator('.preview').textContent()).toMatch(/a run starts.*read again/s);
    await look(page, 'settings-rebuild');
    await page.getByRole('button', { name: 'Save 1 change' }).click();
    await page.getByText('The index is brought up to date with it').waitFor();
    await soon(() => page.locator('.job').textContent()).toMatch(/Run ended/);
    await soon(() => page.locator('.saved').textContent()).toMatch(/What can be found (?:is|has)/);
  });

  test('an answer is written as it comes, doubtful sentences are marked, and it can be stopped', async () => {
    const { running, id, folder, page } = opened();
    const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
    model = await startChatServer({
      protocol: 'openai',
      write: () => [
        'All boats return ',
        'when the wind is strong [1]. ',
        'The mayor of Atlantis ',
        'pays for the submarine [1]. ',
      ],
      afterPiece: (written) => (written === 1 ? mayGoOn : undefined),
    });
    const file = join(folder, 'quarry.toml');
    const generator = `\n[generator]\ndriver = "openai"\nurl = "${model.url}"\nmodel = "m"\n`;
    await writeFile(file, `${files['quarry.toml']}${generator}`);
    await running.client.call(id, 'consent give', { address: model.url });
    await open('Ask');
    await page.getByRole('textbox', { name: 'Question' }).fill('When do boats return?');
    await page.getByRole('textbox', { name: 'Question' }).press('Enter');
    await soon(() => page.locator('.answer').textContent()).toMatch(/^All boats return/);
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Stopped.').waitFor();
    await soon(() => model?.left()).toBe(1);
    await page.getByRole('textbox', { name: 'Question' }).fill('When do boats return?');
    await page.getByRole('textbox', { name: 'Question' }).press('Enter');
    // It continues while the reader looks at something else.
    await soon(() => model?.calls.length).toBe(2);
    await open('Status');
    await page.getByRole('heading', { name: /^Indexed/ }).waitFor();
    goOn();
    await open('Ask');
    await soon(() => page.locator('.is-doubtful').count()).toBeGreaterThan(0);
    expect(await page.locator('.is-doubtful').first().textContent()).toMatch(/mayor.*no source says this/s);
    await look(page, 'ask-model');
  });
});
