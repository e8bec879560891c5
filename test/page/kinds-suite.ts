import { describe, expect, test } from 'vitest';
import { browserProgram, look } from './browser.ts';
import { searchFor, sharedPage, soon } from './open-page.ts';

const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000).toUTCString();
const mail = (id: string, from: string, days: number, subject: string, body: string) =>
  `Message-ID: <${id}@jetty.example>\r\nFrom: ${from}\r\nTo: Crew <crew@jetty.example>\r\nDate: ${daysAgo(days)}\r\nSubject: ${subject}\r\n\r\n${body}\r\n`;

const sheetFile = (rows: readonly (readonly string[])[]) => {
  const names = ['office', 'table', 'text'].map(
    (name) => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`,
  );
  const cell = (text: string) =>
    `<table:table-cell office:value-type="string"><text:p>${text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text:p></table:table-cell>`;
  const body = rows.map((row) => `<table:table-row>${row.map(cell).join('')}</table:table-row>`).join('');
  return `<?xml version="1.0"?><office:document ${names.join(' ')} office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet><table:table table:name="Stores">${body}</table:table></office:spreadsheet></office:body></office:document>`;
};

const files = {
  'mail/first.eml': mail(
    'first',
    'Ada Weber <ada@jetty.example>',
    9,
    'Regatta on the lake',
    'Hello all,\r\n\r\nthe regatta takes place on 4 May at nine.\r\n\r\nBest\r\nAda',
  ),
  'mail/second.eml': mail(
    'second',
    'Bo Lind <bo@jetty.example>',
    2,
    'Re: Regatta on the lake',
    'The regatta is moved to 18 May because of the storm.\r\n\r\n> the regatta takes place on 4 May at nine. <img src=x onerror=alert(1)>',
  ),
  'mail/chain-1.eml': mail(
    'c1',
    'Ida <ida@jetty.example>',
    8,
    'Anchor chain',
    'Which anchor chain do we order?',
  ),
  'mail/chain-2.eml': mail(
    'c2',
    'Jon <jon@jetty.example>',
    7,
    'Re: Anchor chain',
    'The galvanised anchor chain.',
  ),
  'mail/chain-3.eml': mail('c3', 'Ida <ida@jetty.example>', 6, 'AW: Anchor chain', 'How long is that chain?'),
  'mail/chain-4.eml': mail('c4', 'Jon <jon@jetty.example>', 5, 'Re: Anchor chain', 'Thirty metres of chain.'),
  'data/boats.csv':
    'boat,seats,price,colour\nskiff,1,12,red\nfour,4,30,blue\neight,8,55,white\ntub,2,9,<script>alert(2)</script>\n',
  'data/crew.csv':
    'name,role,first boat,second boat,harbour of the season,telephone of the harbour,year\nIda Holm,cox of the eight,skiff seven,four two,Northern pier,+44 1632 960 011,2019\n',
  'data/stores.fods': sheetFile([
    ['Stores of the boat house'],
    ['item', 'supplier', 'euro'],
    ['rope', 'Hemp & Sons', '48'],
    ['<b>varnish</b>', 'Lacquer Ltd', '31'],
  ]),
  'press/winch.log':
    '2026-10-01 06:00:01 INFO winch started\n2026-10-01 06:14:40 WARN chain slack 3 mm\n2026-10-01 07:02:11 ERROR winch stopped: overheated at 94 C\n',
  'docs/rules.md':
    '# Rules\n\n## Lamp\n\nThe lamp on the **jetty** is lit at [dusk](javascript:alert(3)) by whoever leaves last.\n\n| boat | hour |\n|---|---|\n| skiff | 12 |\n\n- `oars` stay dry\n\n![a boat](http://elsewhere.example/boat.png)\n',
  'data/yield.ipynb': JSON.stringify({
    nbformat: 4,
    metadata: { language_info: { name: 'python' } },
    cells: [
      { cell_type: 'markdown', source: '# Catch\n\nHow many **herrings** a boat lands.' },
      {
        cell_type: 'code',
        source: 'def herrings(boat):\n    return landed[boat].mean()',
        outputs: [{ output_type: 'stream', text: 'skiff 41\n' }],
      },
    ],
  }),
  'docs/notes.md':
    '---\ntags: [storm]\nauthor: Cem\n---\n# Lines\n\nMooring lines are doubled before a storm, says [[rules]] and [[hebrew|the other page]].\n',
  'docs/letter.rtf':
    '{\\rtf1{\\stylesheet{\\s1 heading 1;}}\\pard\\s1 Drydock\\par\\pard The sluice is painted in March.\\par}',
  'docs/hebrew.md': '# סירה\n\nהסירה חוזרת לרציף כאשר הרוח חזקה.\n',
};

describe.skipIf(!browserProgram)('each kind of file as people know it (needs chromium)', () => {
  const opened = sharedPage(files);
  const choose = async (query: string, path: string) => {
    const { page } = opened();
    await searchFor(page, query);
    await page.locator('.hit', { hasText: path }).first().click();
    return page.locator('.pane .shown');
  };

  test('mail is a card with people, date and its thread, and what is quoted is folded', async () => {
    const { page } = opened();
    const shown = await choose('regatta moved because of the storm', 'second.eml');
    const card = shown.getByRole('region', { name: 'Mail: Re: Regatta on the lake' });
    await soon(() => card.textContent()).toMatch(/Bo Lind.*to Crew.*2 days ago.*moved to 18 May/s);
    expect(await card.getByText('takes place on 4 May').isVisible()).toBe(false);
    await card.getByText('Thread').click();
    const thread = card.locator('.thread li');
    await soon(() => thread.count()).toBe(2);
    // Oldest first.
    expect(await thread.first().textContent()).toContain('first.eml');
    await look(page, 'kind-mail');
    await thread.first().getByRole('button').click();
    await soon(() => page.getByRole('region', { name: 'Place in its file' }).textContent()).toMatch(
      /Ada Weber.*takes place on 4 May/s,
    );
    await page.getByRole('button', { name: 'Back' }).click();
  });

  test('messages of a thread are below each other, the newest before those between, which are folded', async () => {
    const { page } = opened();
    await searchFor(page, 'anchor chain order');
    const hits = page.locator('.hit', { hasText: 'chain-' });
    const unfold = page.getByRole('button', { name: '2 more of this thread' });
    await unfold.waitFor();
    expect(await hits.count()).toBe(2);
    expect(await hits.nth(1).textContent()).toMatch(/chain-4.*Thirty metres/);
    await unfold.click();
    await soon(() => hits.count()).toBe(4);
    // By keys the reader goes on with the first of them.
    await soon(() => page.evaluate('document.activeElement.textContent')).toMatch(/chain-3|chain-2/);
    expect(await unfold.count()).toBe(0);
  });

  test('an answer from a thread says the newest first and what was said earlier as that', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').fill('When does the regatta take place?');
    const card = page.getByRole('region', { name: 'Answer' });
    await soon(() => card.locator('.answer').textContent()).toMatch(/18 May.*Earlier: .*4 May/s);
    await card.locator('.chip').first().click();
    const source = page.getByRole('region', { name: 'Source in its file' });
    await soon(() => source.locator('mark').allTextContents()).toEqual([
      'The regatta is moved to 18 May because of the storm.',
    ]);
    await look(page, 'kind-answer');
  });

  test('an answer from a page of Markdown has its words, not its marks', async () => {
    const { page } = opened();
    await page.getByRole('searchbox').fill('Which oars stay dry?');
    const answer = page.getByRole('region', { name: 'Answer' }).locator('.answer');
    await soon(() => answer.textContent()).toMatch(/oars stay dry/);
    expect(await answer.locator('code').allTextContents()).toEqual(['oars']);
    expect(await answer.textContent()).not.toContain('`');
  });

  test('a table has its header row, a log its levels, and a page of Markdown its shape', async () => {
    const { page } = opened();
    const table = await choose('price of a skiff, seats and colour', 'boats.csv');
    await soon(() => table.getByRole('columnheader').allTextContents()).toEqual([
      'boat',
      'seats',
      'price',
      'colour',
    ]);
    await look(page, 'kind-table');
    // On a phone a table of many columns is scrolled: its rows stay one line high.
    await page.setViewportSize({ width: 390, height: 844 });
    await searchFor(page, 'cox of the eight, Northern pier');
    await page.locator('.hit', { hasText: 'crew.csv' }).first().click();
    await page.locator('.pane td', { hasText: 'Northern pier' }).waitFor();
    const rowHeight =
      "Math.max(...[...document.querySelectorAll('.pane tr')].map((row) => row.offsetHeight))";
    expect(await page.evaluate(rowHeight)).toBeLessThan(45);
    await page.getByRole('button', { name: 'Back to the list' }).click();
    await page.setViewportSize({ width: 1280, height: 900 });
    const stores = await choose('varnish of the boat house', 'stores.fods');
    await soon(() => stores.getByRole('columnheader').allTextContents()).toEqual([
      'item',
      'supplier',
      'euro',
    ]);
    expect(await stores.textContent()).toMatch(
      /Stores.*Stores of the boat house.*<b>varnish<\/b>Lacquer Ltd/s,
    );
    const log = await choose('winch overheated', 'winch.log');
    await soon(() => log.locator('.log-error').textContent()).toMatch(/winch stopped/);
    await look(page, 'kind-log');
    const rules = await choose('lamp lit at dusk', 'rules.md');
    await soon(() => rules.locator('strong').textContent()).toBe('jetty');
    expect(await rules.getByRole('columnheader').allTextContents()).toEqual(['boat', 'hour']);
    await look(page, 'kind-markdown');
    // As it is written, where the reader wants that.
    await page.getByRole('button', { name: 'As it is written' }).click();
    await soon(() => page.locator('.pane .line').count()).toBeGreaterThan(5);
    await page.getByRole('button', { name: 'As a page' }).click();
    // Nothing of a document acts: no link, picture or script.
    expect(await page.locator('.pane a:not(.button), .pane img, .pane script').count()).toBe(0);
  });

  test('a letter looks like a page, and links of notes are called as they are meant', async () => {
    const letter = await choose('sluice painted in March', 'letter.rtf');
    await soon(() => letter.locator('.md-heading').textContent()).toBe('Drydock');
    expect(await opened().page.locator('.hit', { hasText: 'letter.rtf' }).textContent()).not.toContain('#');
    const note = await choose('mooring lines before a storm', 'notes.md');
    await soon(() => note.locator('.md-link').allTextContents()).toEqual(['rules', 'the other page']);
  });

  test('a notebook is shown by its cells: what is written, code in colours, and what that gave', async () => {
    const shown = await choose('herrings a boat lands', 'yield.ipynb');
    await soon(() => shown.locator('strong').textContent()).toBe('herrings');
    await soon(() => shown.locator('pre .hljs-keyword').first().textContent()).toBe('def');
    expect(await shown.locator('.cell-output').textContent()).toMatch(/^Output.*skiff 41/);
    await look(opened().page, 'kind-notebook');
  });

  test('hits are counted by who wrote them and by their tags, and narrowed down to either', async () => {
    const { page } = opened();
    const found = () => page.locator('.hit .citation').allTextContents();
    await searchFor(page, 'storm regatta lines');
    await page.getByRole('button', { name: /^By Bo Lind: \d+$/ }).click();
    await soon(async () => (await found()).every((citation) => citation.includes('second.eml'))).toBe(true);
    await page.getByRole('button', { name: 'Copy as a command' }).click();
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
      "quarry search 'storm regatta lines' --author 'Bo Lind'",
    );
    await page.getByRole('button', { name: 'Remove the filter author: Bo Lind' }).click();
    await page.getByRole('button', { name: /^Tag storm: \d+$/ }).click();
    await soon(found).toEqual([expect.stringContaining('docs/notes.md')]);
    await page.getByRole('button', { name: 'Remove the filter tag: storm' }).click();
  });

  test('a text that is written from the right is shown so', async () => {
    await choose('הסירה חוזרת לרציף', 'hebrew.md');
    await soon(() =>
      opened().page.evaluate("getComputedStyle(document.querySelector('.pane .md-paragraph')).direction"),
    ).toBe('rtl');
  });
});
