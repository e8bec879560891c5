import { describe, expect, test } from 'vitest';
import { browserProgram } from './browser.ts';
import { answered, searchFor, sharedPage, soon } from './open-page.ts';

const day = 86_400_000;
const writers = ['Ada Weber <ada@jetty.example>', 'Bo <bo@jetty.example>', 'Bob Lind <lind@jetty.example>'];
/** Today, whatever the hour, this week and before. */
const ages = [(Date.now() - new Date().setHours(0, 0, 0, 0)) / 2 / day, 3, 20];
const message = (number: number): string => {
  const from = writers[number % writers.length] ?? '';
  const date = new Date(Date.now() - (ages[Math.floor(number / 3) % ages.length] ?? 0) * day).toUTCString();
  return `From ann@jetty.example Sat Jan  3 01:05:34 2026\nFrom: ${from}\nDate: ${date}\nSubject: Regatta ${number}\n\nThe regatta number ${number} needs ${number} buoys.\n\n`;
};
const mailbox = (...numbers: readonly number[]): string => numbers.map(message).join('');

const files = {
  'quarry.toml': '[embedder]\ndriver = "hashing"\n\n[index]\nexclude = ["quarry.toml"]\n',
  'mail/inbox.mbox': mailbox(0, 1, 2, 3, 4),
  'mail/club.mbox': mailbox(5, 6, 7),
  'mail/one.eml': message(8).replace(/^From .*\n/, ''),
  'notes/buoys.md': '---\ntags: [regatta, gear]\nauthor: Bo\n---\n# Buoys\n\nBuoys of the regatta.\n',
  'notes/start.md': '---\ntags: [regatta]\n---\n# Start\n\nThe regatta starts at the buoys.\n',
  'src/regatta.ts': '/** Buoys of a regatta. */\nexport const regattaBuoys = 12;\n',
};

describe.skipIf(!browserProgram)('what narrows hits down (needs chromium)', () => {
  const opened = sharedPage(files);

  test('is counted, messages of a mailbox one by one, and each finds exactly as many as were counted', async () => {
    const { page } = opened();
    const facets = page.locator('.facet button');
    const summary = page.locator('.summary');
    await searchFor(page, 'regatta buoys');
    const counted = () => facets.evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')));
    await soon(counted).toEqual(
      expect.arrayContaining([
        'By Bo: 4',
        'By Ada Weber: 3',
        'By Bob Lind: 3',
        'Tag regatta: 2',
        'Tag gear: 1',
        'Kind email: 9',
        'Folder notes: 2',
        'Time today: 6',
        'Time last 7 days: 9',
      ]),
    );
    const names = (await counted()) as string[];
    for (const name of names) {
      await page.getByRole('button', { name, exact: true }).click();
      await answered(page);
      const [, found] = /^(\d+) hits? in/.exec((await summary.textContent()) ?? '') ?? [];
      expect(`${name.replace(/\d+$/, '')}${found}`).toBe(name);
      await page.getByRole('button', { name: /^Remove the filter/ }).click();
      await answered(page);
      await page.getByRole('button', { name, exact: true }).waitFor();
    }
  });

  test('a name that is a part of another one is meant as a whole, as on the command line', async () => {
    const { page } = opened();
    await page.getByRole('button', { name: 'By Bo: 4' }).click();
    await page.getByRole('button', { name: 'Copy as a command' }).click();
    await soon(() => page.evaluate('navigator.clipboard.readText()')).toBe(
      `quarry search 'regatta buoys' --author '"Bo"'`,
    );
    // Files that pass, without a query: a mailbox has messages of theirs.
    await page.getByRole('searchbox').fill('');
    await soon(() => page.locator('.virtual-list li .path').allTextContents()).toEqual([
      'mail/club.mbox',
      'mail/inbox.mbox',
      'notes/buoys.md',
    ]);
  });
});
