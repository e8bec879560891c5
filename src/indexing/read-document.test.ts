import { describe, expect, test } from 'vitest';
import { encodeKept } from '../core/documents/kept-content.ts';
import { createHashingEmbedder } from '../drivers/embedders/hashing.ts';
import { readingParts } from '../reading/reading.ts';
import { settingsSchema } from '../settings/settings.ts';
import { type RawDocument, readDocument } from './read-document.ts';

const settings = (changes: object = {}) => settingsSchema.parse(changes);
const raw = (uri: string, text: string): RawDocument => {
  const bytes = new TextEncoder().encode(text);
  return { file: { uri, size: bytes.length, modifiedAt: Date.now() }, bytes, revision: 'r1' };
};
const read = (document: RawDocument, changes: object = {}) =>
  readDocument(
    document,
    readingParts(settings(changes), (text) => createHashingEmbedder().countTokens(text)),
  );

async function readChunks(document: RawDocument, changes: object = {}) {
  const result = await read(document, changes);
  if (result.kind !== 'document') throw new TypeError(`skipped: ${result.skipped.rule}`);
  return result;
}

describe('a file', () => {
  test('becomes a document with chunks that carry path and headings as context, not as text', async () => {
    const { document, chunks } = await readChunks(raw('docs/tea.md', '# Tea\n\nGreen tea is brewed.'));
    expect(document).toMatchObject({
      uri: 'docs/tea.md',
      title: 'Tea',
      type: 'doc',
      origin: 'file',
      revision: 'r1',
    });
    expect(document).not.toHaveProperty('text');
    expect(chunks[0]?.chunk).toMatchObject({
      header: 'docs > tea > Tea',
      section: 'Tea',
      text: '# Tea\n\nGreen tea is brewed.',
      span: { start: 0, firstLine: 1, lastLine: 3 },
    });
  });

  test('of code carries its language and symbols', async () => {
    const { document, chunks } = await readChunks(raw('a.py', 'def f(x):\n    return x\n'));
    expect(document).toMatchObject({ type: 'code', metadata: { language: 'python' } });
    expect(chunks[0]?.chunk.symbol).toMatchObject({ name: 'f', kind: 'function' });
  });

  test('that holds nothing is left out with its reason', async () => {
    expect(await read(raw('a.md', ' \n '))).toMatchObject({
      kind: 'skipped',
      skipped: { uri: 'a.md', reason: 'empty' },
    });
  });

  test.each([
    ['one endless word', 'a.md', 'a'.repeat(100_000)],
    ['white space', 'a.txt', ' '.repeat(100_000)],
    ['a deep indentation', 'a.txt', `\n\n${' '.repeat(100_000)}deep`],
    ['digits in code', 'a.js', `const a = '${'0'.repeat(100_000)}';`],
    ['characters of two halves', 'a.txt', '\u{1f98a}'.repeat(50_000)],
  ])(
    'with %s has no chunk of much more than 16,384 characters, and loses nothing',
    async (_, uri, middle) => {
      const text = `// The beginning.\n\nhere ${middle} and the end\n`;
      const { chunks } = await readChunks(raw(uri, text));
      const spans = chunks.map(({ chunk }) => chunk.span).toSorted((one, other) => one.start - other.start);
      expect(Math.max(...chunks.map(({ chunk }) => chunk.text.length))).toBeLessThanOrEqual(16_384 + 500);
      let at = 0;
      for (const { start, end } of [...spans, { start: text.length, end: text.length }]) {
        expect(text.slice(at, Math.max(at, start)).trim()).toBe('');
        at = Math.max(at, end);
      }
      for (const { chunk } of chunks) expect(chunk.text.isWellFormed()).toBe(true);
    },
  );

  test('of mail is as old as it says', async () => {
    const mail =
      'From: a@example.org\r\nTo: b@example.org\r\nDate: Mon, 02 Jan 2006 10:00:00 +0000\r\nSubject: Tea\r\n\r\nHot.';
    expect(await read(raw('a.eml', mail))).toMatchObject({
      kind: 'skipped',
      skipped: { reason: 'too-old', rule: 'email older than 60 days (max_age_days)' },
    });
    const { document } = await readChunks(raw('a.eml', mail), { max_age_days: { email: 100_000 } });
    expect(new Date(document.modifiedAt).getUTCFullYear()).toBe(2006);
  });
});

describe('secrets', () => {
  const password = ['hunter', 'Zx81Qm94Lp'].join('2');
  const text = `database settings\nDB_PASSWORD="${password}"\nhost = "db"\n`;

  test('are blacked out in place, and counted by kind', async () => {
    const { chunks, redacted } = await readChunks(raw('notes.txt', text));
    const all = chunks.map(({ chunk }) => chunk.text).join('\n');
    expect(all).not.toContain(password);
    expect(all).toContain('host = "db"');
    expect(redacted.reduce((sum, { count }) => sum + count, 0)).toBe(1);
    expect(chunks.at(-1)?.chunk.span.end).toBeLessThanOrEqual(text.length);
  });

  test('stay only where the user says so', async () => {
    const { chunks, redacted } = await readChunks(raw('notes.txt', text), {
      index: { redact_secrets: false },
    });
    expect(chunks.map(({ chunk }) => chunk.text).join('\n')).toContain(password);
    expect(redacted).toEqual([]);
  });
});

test('text that was extracted before is not taken for its format again', async () => {
  const uri = 'virtual:p.html';
  const kept = encodeKept({ uri, modifiedAt: 0, isExtracted: true, text: 'a <b> c' }, () => '0'.repeat(32));
  const { chunks } = await readChunks({ ...raw(uri, ''), bytes: kept });
  expect(chunks[0]?.chunk.text).toBe('a <b> c');
});
