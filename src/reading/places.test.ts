import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { draws } from '../../test/property-draws.ts';
import type { Place } from '../core/place.ts';
import { citationOf } from '../core/text/citation.ts';
import { docxOf, pdfOf, wordParagraph } from '../drivers/extractors/samples.fixture.ts';
import { readDocument } from '../indexing/read-document.ts';
import { settingsSchema } from '../settings/settings.ts';
import { chunksOf, expectWordsAt, numbered, paragraphs, placeOf, read, wordsIn } from './places.fixture.ts';
import { readingParts } from './reading.ts';

test('a message of 700 tokens is one chunk, and one of 900 is several', async () => {
  const parts = readingParts(settingsSchema.parse({}), (text) => text.split(/\s+/).filter(Boolean).length);
  const count = async (size: number) => {
    const text = `From: a@b.example\nSubject: Tea\nDate: ${new Date().toUTCString()}\n\n${'green tea is good.\n\n'.repeat(size / 4)}`;
    const bytes = new TextEncoder().encode(text);
    const file = { uri: 'mail/a.eml', size: bytes.length, modifiedAt: Date.now() };
    const found = await readDocument({ file, bytes, revision: 'r' }, parts);
    return found.kind === 'skipped' ? 0 : found.chunks.length;
  };
  expect(await count(700)).toBe(1);
  expect(await count(900)).toBeGreaterThan(5);
});

describe('a chunk is where its place says', () => {
  test('the page of a PDF', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const pages = sizes.map((size) => numbered(size).reduce<string[][]>(inLines, []));
        const texts = pages.map((lines) => lines.map((line) => line.join(' ')));
        for (const chunk of await chunksOf('a.pdf', pdfOf(texts))) {
          const { first, last } = placeOf(chunk, 'pages');
          expectWordsAt(chunk, texts[first - 1]?.join(' ') ?? '', texts[last - 1]?.join(' ') ?? '');
        }
      }),
      { numRuns: 8 },
    );
  });

  test('the line of an HTML file, with any line ends and encoding', async () => {
    const blocks = fc.array(fc.tuple(fc.constantFrom('p', 'h2', 'li', 'pre', 'td', 'div'), fc.nat(50)), {
      minLength: 1,
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(
        blocks,
        fc.constantFrom('\n', '\r\n'),
        fc.constantFrom('utf8', 'utf16le'),
        async (drawn, lineEnd, encoding) => {
          const body = drawn.map(([tag, size]) => {
            const words = numbered(size + 1).map((word, at) => (at % 7 === 3 ? `<b>${word}</b>` : word));
            const text = words.map((word, at) => word + (at % 5 === 4 ? lineEnd : ' ')).join('');
            return tag === 'td'
              ? `<table><tr><td>${text}</td>${lineEnd}<td>${numbered(1)}|b</td></tr></table>`
              : `<${tag}>${text}</${tag}>`;
          });
          const html = `<html>${lineEnd}<body><script>${lineEnd}</script>${body.join(lineEnd)}</body></html>`;
          const lines = html.split('\n');
          for (const chunk of await chunksOf('a.html', Buffer.from(`\ufeff${html}`, encoding as 'utf8'))) {
            const { first, last } = placeOf(chunk, 'lines');
            expectWordsAt(chunk, lines[first - 1] ?? '', lines[last - 1] ?? '');
          }
        },
      ),
      { numRuns: draws(40) },
    );
  });

  test('the heading and paragraph of a Word file', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const at = new Map<string, string>();
        const texts = sizes.map((size, index) => numbered(size).join(' ') + (index === -1 ? '' : ''));
        const body = texts.map((text, index) => {
          const heading = Math.floor(index / 3);
          at.set(`H${heading} ${(index % 3) + 1}`, text);
          const above =
            index % 3 === 0 ? wordParagraph(`H${heading}`, '<w:pStyle w:val="berschrift2"/>') : '';
          return above + wordParagraph(text);
        });
        for (const chunk of await chunksOf('a.docx', docxOf(body.join('')))) {
          const { first, last } = placeOf(chunk, 'paragraphs');
          const start = first.paragraph === 0 ? 1 : first.paragraph;
          if (wordsIn(chunk.text).length > 0)
            expectWordsAt(
              chunk,
              at.get(`${first.heading} ${start}`) ?? '',
              at.get(`${last.heading} ${last.paragraph}`) ?? '',
            );
        }
      }),
      { numRuns: draws(20) },
    );
  });

  test('the cell of a notebook and the line in it', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const cells = sizes.map((size, index) => ({
          cell_type: index % 2 === 0 ? 'markdown' : 'code',
          source: numbered(size)
            .map((word, at) => word + (at % 4 === 3 ? '\n' : ' '))
            .join(''),
        }));
        for (const chunk of await chunksOf('a.ipynb', JSON.stringify({ cells }))) {
          const { first, last } = placeOf(chunk, 'cells');
          const lineAt = ({ cell, line = 0 }: typeof first) =>
            cells[cell - 1]?.source.split('\n')[line - 1] ?? '';
          expectWordsAt(chunk, lineAt(first), lineAt(last));
        }
      }),
      { numRuns: draws(20) },
    );
  });

  test('the message of a mailbox, with its subject and its day', async () => {
    await fc.assert(
      fc.asyncProperty(paragraphs, async (sizes) => {
        const texts = sizes.map((size) => numbered(size).join(' '));
        const date = new Date(Math.floor(Date.now() / 1000) * 1000);
        const mailbox = texts.map(
          (text, index) =>
            `From a@example.org Sat Jan  3 01:05:34 2026\nFrom: a@example.org\nSubject: S${index}\nDate: ${date.toUTCString()}\n\n${text}\n\n`,
        );
        const chunks = await chunksOf('a.mbox', mailbox.join(''));
        for (const chunk of chunks) {
          const { first } = placeOf(chunk, 'messages');
          expect(first).toEqual({
            message: first.message,
            subject: `S${first.message - 1}`,
            date: date.toISOString(),
          });
          if (wordsIn(chunk.text).length > 0)
            expectWordsAt(chunk, texts[first.message - 1] ?? '', texts[first.message - 1] ?? '');
        }
        expect(chunks.length).toBeGreaterThanOrEqual(texts.length);
      }),
      { numRuns: 10 },
    );
  });

  test('the key path of JSON on one line, and the lines of JSON on many', async () => {
    const users = Array.from({ length: 9 }, () => ({
      'full name': numbered(20).join(' '),
      tags: numbered(30),
    }));
    for (const chunk of await chunksOf('a.json', JSON.stringify({ users }))) {
      const { first } = placeOf(chunk, 'keys');
      const [, index = '', rest = ''] = /^\$\.users\[(\d+)\](.*)$/.exec(first) ?? [];
      expect(JSON.stringify(users[Number(index)])).toContain(wordsIn(chunk.text)[0]);
      expect(rest).toMatch(/^$|^\["full name"\]|^\.tags/);
    }
    const pretty = JSON.stringify({ users }, null, 2);
    for (const chunk of await chunksOf('a.json', pretty)) {
      const { first, last } = placeOf(chunk, 'lines');
      const lines = pretty
        .split('\n')
        .slice(first - 1, last)
        .join('\n');
      expect(lines.trim()).toContain(chunk.text.trim());
    }
  });

  test.each(['utf8', 'utf16le'] as const)(
    'the line of a text file in %s, with a mark and Windows line ends',
    async (encoding) => {
      const lines = Array.from({ length: 40 }, () => `  ${numbered(3).join(' ')}`);
      for (const name of ['a.txt', 'a.md', 'a.yaml', 'a.log', 'a.ts', 'a.csv', 'a.toml', 'a.txt.gz']) {
        const plain = Buffer.from(`\ufeff${lines.join('\r\n')}`, encoding);
        const chunks = await chunksOf(name, name.endsWith('.gz') ? gzipSync(plain) : plain);
        for (const chunk of chunks) {
          const { first, last } = placeOf(chunk, 'lines');
          expectWordsAt(chunk, lines[first - 1] ?? '', lines[last - 1] ?? '');
        }
      }
    },
  );
});

function inLines(lines: string[][], word: string): string[][] {
  const line = lines.at(-1);
  if (line && line.length < 6) line.push(word);
  else lines.push([word]);
  return lines;
}

test('a chunk that begins in an indented line keeps the indentation, which its vector ignores', async () => {
  const code = `class A {\n${[1, 2, 3].map((at) => `    method${at}() {\n        return ${numbered(25).join(' + ')};\n    }\n`).join('\n')}}\n`;
  const found = await read('a.ts', code);
  const chunks = found.kind === 'document' ? found.chunks : [];
  const indented = chunks.filter(({ chunk }) => chunk.text.startsWith('    method'));
  expect(indented.length).toBeGreaterThan(0);
  for (const { chunk } of indented) expect(code.slice(chunk.span.start, chunk.span.end)).toBe(chunk.text);
});

test('places are cited as a person goes to them', () => {
  const cite = (uri: string, place: Place) => citationOf(uri, place);
  const march = { message: 4, subject: 'Tea', date: '2026-03-01T08:00:00.000Z' };
  const row = (number: number) => ({ sheet: 'Costs', row: number, columns: 'A:F' });
  const review = { entry: 4, name: 'Review', date: '2026-03-01' };
  expect([
    cite('a.ts', { kind: 'lines', first: 3, last: 3 }),
    cite('a.ts', { kind: 'lines', first: 3, last: 9 }),
    cite('r.pdf', { kind: 'pages', first: 3, last: 3 }),
    cite('r.pdf', { kind: 'pages', first: 3, last: 4 }),
    cite('n.ipynb', { kind: 'cells', first: { cell: 4, line: 2 }, last: { cell: 4, line: 2 } }),
    cite('n.ipynb', { kind: 'cells', first: { cell: 4, line: 2 }, last: { cell: 6 } }),
    cite('n.ipynb', { kind: 'cells', first: { cell: 4 }, last: { cell: 4 } }),
    cite('in.mbox', { kind: 'messages', first: march, last: march }),
    cite('in.mbox', { kind: 'messages', first: march, last: { message: 5, subject: '' } }),
    cite('w.docx', {
      kind: 'paragraphs',
      first: { heading: 'A > B', paragraph: 1 },
      last: { heading: 'A > B', paragraph: 2 },
    }),
    cite('w.docx', {
      kind: 'paragraphs',
      first: { heading: '', paragraph: 2 },
      last: { heading: 'A', paragraph: 1 },
    }),
    cite('b.xlsx', { kind: 'sheets', first: row(2), last: row(40) }),
    cite('b.xlsx', { kind: 'sheets', first: row(2), last: { ...row(3), sheet: 'Old' } }),
    cite('b.xlsx', { kind: 'sheets', first: { ...row(2), columns: 'B' }, last: { ...row(2), columns: 'B' } }),
    cite('d.pptx', { kind: 'slides', first: { slide: 4 }, last: { slide: 4, notes: true } }),
    cite('d.pptx', { kind: 'slides', first: { slide: 4, notes: true }, last: { slide: 4, notes: true } }),
    cite('d.pptx', { kind: 'slides', first: { slide: 4 }, last: { slide: 6 } }),
    cite('t.ics', { kind: 'entries', first: review, last: review }),
    cite('t.ics', { kind: 'entries', first: review, last: { entry: 7, name: '' } }),
    cite('d.json', { kind: 'keys', first: '$.a[1]', last: '$.a[4]' }),
  ]).toEqual([
    'a.ts:3',
    'a.ts:3-9',
    'r.pdf, page 3',
    'r.pdf, pages 3-4',
    'n.ipynb, cell 4, line 2',
    'n.ipynb, cells 4-6',
    'n.ipynb, cell 4, output',
    'in.mbox: "Tea", 2026-03-01',
    'in.mbox: "Tea", 2026-03-01 – message 5',
    'w.docx, "A > B", paragraphs 1-2',
    'w.docx, paragraph 2 – "A"',
    'b.xlsx, sheet "Costs", A2:F40',
    'b.xlsx, sheet "Costs", A2:F2 – sheet "Old", A3:F3',
    'b.xlsx, sheet "Costs", B2',
    'd.pptx, slide 4',
    'd.pptx, slide 4, notes',
    'd.pptx, slides 4-6',
    't.ics: "Review", 2026-03-01',
    't.ics: "Review", 2026-03-01 – entry 7',
    'd.json, $.a[1] – $.a[4]',
  ]);
});

describe('packed text', () => {
  test('is read as the text in it, of the kind its name says', async () => {
    const found = await read('logs/app.log.1.gz', gzipSync('2026-01-01 started\n'));
    expect(found).toMatchObject({ kind: 'document', document: { type: 'log' } });
    const data = await read('a.json.gz', gzipSync('{"tea": 1}'));
    expect(data).toMatchObject({
      kind: 'document',
      document: { type: 'data', mediaType: 'application/json' },
    });
  });

  test('is skipped with a reason where it is too large, broken or no text', async () => {
    expect(await read('bomb.txt.gz', gzipSync(new Uint8Array(64 * 2 ** 20)))).toMatchObject({
      skipped: { reason: 'too-large', rule: expect.stringContaining('max_file_bytes') },
    });
    const packed = gzipSync('hello, hello, hello');
    expect(await read('cut.txt.gz', packed.subarray(0, 14))).toMatchObject({
      skipped: { reason: 'unsupported', rule: expect.stringContaining('broken gzip') },
    });
    expect(await read('a.gz', gzipSync(Uint8Array.of(0, 1, 2, 3, 0, 0, 9)))).toMatchObject({
      skipped: { reason: 'binary' },
    });
  });
});
