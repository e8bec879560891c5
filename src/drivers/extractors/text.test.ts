import { expect, test } from 'vitest';
import { createMarkdownExtractor } from './markdown.ts';
import { extractFrom, textOf } from './samples.fixture.ts';
import { createTextExtractor } from './text.ts';

const archived =
  'From: ann@example.org\nTo: bo@example.org,\n  cy@example.org\nSubject: Ship it\nDate: 3 Mar 2026 10:00 UTC\n\nToday.';

test('leaves plain text as it was written', async () => {
  expect(await extractFrom(createTextExtractor(), 'a\r\n b\t')).toEqual({ kind: 'text', text: 'a\r\n b\t' });
});

test('recognises an archived e-mail by its headers', async () => {
  expect(await extractFrom(createTextExtractor(), archived)).toEqual({
    kind: 'text',
    type: 'email',
    text: archived,
    chunker: 'email',
    title: 'Ship it',
    metadata: {
      from: 'ann@example.org',
      to: 'bo@example.org, cy@example.org',
      date: '2026-03-03T10:00:00.000Z',
      subject: 'Ship it',
    },
  });
});

test.each([
  'From: here\nto there',
  'Subject: x\n\nno sender',
  'Note: a\nFrom: b',
  'From the start: it was late.',
])('takes %j as plain text', async (text) => {
  expect(await extractFrom(createTextExtractor(), text)).toEqual({ kind: 'text', text });
});

test('looks for headers of e-mail in plain text only', async () => {
  expect(await extractFrom(createTextExtractor(), archived, 'text/x-source')).toEqual({
    kind: 'text',
    text: archived,
  });
});

test('skips what is empty, blank, binary or too large, each with its reason', async () => {
  const extractor = createTextExtractor();
  const small = createTextExtractor({
    inputBytes: 4,
    unpackedBytes: 4,
    outputCharacters: 4,
    milliseconds: 1000,
  });
  expect(textOf(await extractFrom(extractor, ''))).toBe('empty: zero bytes');
  expect(textOf(await extractFrom(extractor, ' \n\t'))).toBe('empty: nothing but white space');
  expect(textOf(await extractFrom(extractor, 'a\0\0\0b'))).toBe('binary: binary content');
  expect(textOf(await extractFrom(small, 'abcde'))).toBe('too-large: text larger than 4 bytes');
});

test('reads front matter as metadata and keeps it in the text', async () => {
  const text =
    '---\ntitle: "A: plan"\ntags: [one, "two"]\nowners:\n  - ann\n  - bo\npriority: 3\ndraft: true\n---\n# Head\n';
  expect(await extractFrom(createMarkdownExtractor(), text)).toEqual({
    kind: 'text',
    text,
    chunker: 'markdown',
    title: 'A: plan',
    metadata: { title: 'A: plan', tags: ['one', 'two'], owners: ['ann', 'bo'], priority: 3, draft: true },
  });
});

test('takes the title from the first heading outside fences', async () => {
  const extraction = await extractFrom(
    createMarkdownExtractor(),
    '```sh\n# comment\n```\n\n# The `real` one #\n',
  );
  expect(extraction).toMatchObject({ title: 'The real one', metadata: {} });
});

test('finds no title quickly in a file of unclosed fences and hash marks', async () => {
  const text = `${'```\n'.repeat(20_001)}${'#'.repeat(100_000)}`;
  expect(await extractFrom(createMarkdownExtractor(), text)).not.toHaveProperty('title');
});
