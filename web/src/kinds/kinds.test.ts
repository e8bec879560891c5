import { expect, test } from 'vitest';
import { rowsOf, separatorOf } from './cells.ts';
import { chatParts } from './chat-parts.ts';
import { kindOf } from './kind-of.ts';
import { linkIn } from './link-in.ts';
import { blocksOf } from './markdown-blocks.ts';
import { messagesOf } from './messages.ts';
import { sheetsIn } from './sheets-in.ts';
import { conversation } from './subject.ts';

test('a text is shown as its kind, and as it is written where it has none', () => {
  const mail = 'From: Ada <a@example.org>\nTo: Bo\nSubject: Boats\n\nThey return.';
  expect(kindOf('mail/a.eml', mail)?.name).toBe('Mail');
  for (const path of ['docs/a.md', 'a.docx', 'a.odt', 'a.rtf', 'a.epub'])
    expect(kindOf(path, '# A')?.name).toBe('Page');
  expect(kindOf('a.ipynb', '# A')?.name).toBe('Notebook');
  expect(kindOf('a.csv', 'a,b')?.name).toBe('Table');
  expect(kindOf('press.log', '2026-10-01 06:00 INFO on\n2026-10-01 06:01 ERROR off')?.name).toBe('Log');
  expect(kindOf('src/a.ts', 'export const a = 1;\n')).toBeUndefined();
});

test('conversations have a part for each time that somebody speaks, with the calls of tools apart', () => {
  const session =
    'You, 2026-10-03: Why?\n\nClaude: I look.\n\nThere.\n\n[Bash] npm test\n> red\n\n\f\nYou, 2026-10-04: Thanks';
  expect(kindOf('conversation:work/api/claude-2026-10-03.aaaabbbbcccc', session)?.name).toBe('Conversation');
  expect(chatParts(session)).toEqual([
    { who: 'You', when: '2026-10-03', text: 'Why?', tools: [], above: '' },
    { who: 'Claude', when: '', text: 'I look.\n\nThere.', tools: ['[Bash] npm test\n> red'], above: '' },
    { who: 'You', when: '2026-10-04', text: 'Thanks', tools: [], above: '' },
  ]);
  const chat =
    '#bridge, 2026-03-01\n\n10:00 Ada: Red?\n\n10:01 (Ada added Bo)\n\n\f\n2026-03-02\n\n09:00 Bo: Green.';
  expect(kindOf('general/2026-03-01.json', chat)?.name).toBe('Conversation');
  expect(chatParts(chat).map(({ who, above }) => [above, who])).toEqual([
    ['#bridge, 2026-03-01', 'Ada'],
    ['', ''],
    ['2026-03-02', 'Bo'],
  ]);
  expect(kindOf('a.json', '{"a": 1}')).toBeUndefined();
});

test('blocks of Markdown keep their lines, and no text makes the reading long', () => {
  const text =
    '# Prices\n\nTwo\nlines  \nand a third\n\n| boat | hour |\n|---|---|\n| skiff | 12 |\n\n- one\n  more\n> said\n```ts\ncode\n```\n---';
  expect(blocksOf(text)).toEqual([
    { kind: 'heading', level: 1, text: 'Prices', lines: [0, 0] },
    { kind: 'paragraph', text: 'Two lines\nand a third', lines: [2, 4] },
    { kind: 'table', head: ['boat', 'hour'], rows: [['skiff', '12']], lines: [6, 8] },
    { kind: 'item', depth: 0, mark: '•', text: 'one more', lines: [10, 11] },
    { kind: 'quote', text: 'said', lines: [12, 12] },
    { kind: 'code', language: 'ts', text: 'code', lines: [13, 15] },
    { kind: 'rule', lines: [16, 16] },
  ]);
  expect(
    blocksOf('- [x] oiled\n- [ ] painted').map((block) => 'mark' in block && [block.mark, block.text]),
  ).toEqual([
    ['☑', 'oiled'],
    ['☐', 'painted'],
  ]);
  const titles = ['# C#', '## Prices ##', '# #', '#\tA # B'].flatMap((line) => blocksOf(line));
  expect(titles.map((block) => 'text' in block && block.text)).toEqual(['C#', 'Prices', '', 'A # B']);
  const spaces = ' '.repeat(60_000);
  for (const hostile of [
    `# a${spaces}b`,
    `# a${'#'.repeat(60_000)}b`,
    `#${spaces}\u2028${spaces}b`,
    `-${spaces}\u2028b`,
    `|a|\n${spaces}|b|`,
    '|'.repeat(20_000),
    '- '.repeat(20_000),
    `${'>'.repeat(100)}\n`.repeat(2000),
    '```\n'.repeat(9999),
  ])
    expect(blocksOf(hostile).length).toBeGreaterThan(0);
}, 10_000);

test('no message makes the reading long', () => {
  const spaces = ' '.repeat(60_000);
  expect(messagesOf(`From: Ada\nSubject: Boats\n\na${spaces}b`)[0]?.parts).toHaveLength(1);
}, 5_000);

test('messages have their headers, and what is quoted in them is set apart', () => {
  const text = 'From: Ada\nSubject: Re: Boats\n\nYes.\n\n> Do they?\n\nFrom: Bo\nSubject: Boats\n\nDo they?';
  const [first, second] = messagesOf(text);
  expect(first?.headers).toContainEqual(['Subject', 'Re: Boats']);
  expect(first?.parts).toEqual([
    { text: 'Yes.', isQuoted: false },
    { text: '> Do they?', isQuoted: true },
  ]);
  expect(second?.parts).toEqual([{ text: 'Do they?', isQuoted: false }]);
  // The rest of a long message has no headers of its own.
  expect(messagesOf('and so on.')).toEqual([
    { headers: [], parts: [{ text: 'and so on.', isQuoted: false }] },
  ]);
  expect([conversation('AW: Re[2]: Fwd: Boats'), conversation('Re-opening')]).toEqual([
    'Boats',
    'Re-opening',
  ]);
});

test('rows are cut at the sign between their cells, and not within quotes', () => {
  expect(separatorOf('a;b,c;d')).toBe(';');
  expect(rowsOf('a,b\n"x, ""y""\nz",2\n3,4\n', ',')).toEqual([
    { line: 0, cells: ['a', 'b'] },
    { line: 1, cells: ['x, "y"\nz', '2'] },
    { line: 3, cells: ['3', '4'] },
  ]);
});

test('sheets of a spreadsheet are apart, each below the names of its columns', () => {
  const text = '# Costs\nAll in euro\nitem | price\nrope | 48\n\f\n# Plan (hidden)\n1 | 2\n';
  expect(sheetsIn(text)).toEqual([
    {
      name: 'Costs',
      names: ['item', 'price'],
      above: ['All in euro'],
      rows: [{ line: 3, cells: ['rope', '48'] }],
    },
    { name: 'Plan (hidden)', names: undefined, above: [], rows: [{ line: 6, cells: ['1', '2'] }] },
  ]);
  // Within a sheet nothing says which row has the names.
  expect(sheetsIn('rope | new')).toEqual([
    { name: undefined, names: undefined, above: [], rows: [{ line: 0, cells: ['rope', 'new'] }] },
  ]);
});

test('a link of notes is called what follows its bar, else by the note', () => {
  expect(linkIn('[[Drydock]]')).toEqual({ name: 'Drydock', target: 'Drydock', isShown: false });
  expect(linkIn('![[Drydock#Pump|the pump]]')).toEqual({
    name: 'the pump',
    target: 'Drydock#Pump',
    isShown: true,
  });
  expect(linkIn('[dock](dock.md)')).toEqual({ name: 'dock', target: 'dock.md', isShown: false });
  expect(linkIn('**dock**')).toBeUndefined();
});
