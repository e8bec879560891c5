import { expect, test } from 'vitest';
import { createEmailChunker } from './email.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createEmailChunker();
const message = 'From: ann@example.org\nDate: 2026-03-03\nSubject: Ship it\n\nToday.\n\n> When?\n\n-- \nAnn';

test('keeps a message that fits as one chunk with subject, sender and date as context', async () => {
  const { drafts } = await chunker.chunk(documentAt('a.eml', message), sizeLimits(5, 50, 100));
  expect(drafts).toEqual([
    {
      start: 0,
      end: message.length,
      header: 'Subject: Ship it From: ann@example.org Date: 2026-03-03',
      section: 'Ship it',
    },
  ]);
});

test('cuts a long message between paragraphs, each with the same context', async () => {
  const long = `${message}\n\n${'word '.repeat(30)}`;
  const { drafts } = await chunker.chunk(documentAt('a.eml', long), sizeLimits(5, 25, 30));
  expect(drafts.length).toBeGreaterThan(1);
  expect(new Set(drafts.map((draft) => draft.header)).size).toBe(1);
  expect(long.slice(drafts[0]?.start, drafts[0]?.end)).toContain('Subject: Ship it');
});

test('keeps a message up to the size of messages whole, and leaves the headers of a longer one with its beginning', async () => {
  const headers = `From: ann@example.org\nTo: ${'bo@example.org, '.repeat(12)}\nSubject: Ship it`;
  const paragraphs = (count: number) => Array.from({ length: count }, () => 'word '.repeat(60)).join('\n\n');
  const limits = { ...sizeLimits(40, 128, 180), messageTokens: 800 };
  const cut = async (count: number) =>
    (await cutUp(chunker, documentAt('a.eml', `${headers}\n\n${paragraphs(count)}`), limits)).map(
      ([, text]) => text,
    );
  expect(await cut(10)).toHaveLength(1);
  const [first = '', ...others] = await cut(20);
  expect(others.length).toBeGreaterThan(5);
  expect(first).toMatch(/^From: ann[\s\S]*Subject: Ship it\n\nword/);
});

test('separates messages at form feeds and numbers them', async () => {
  const text = `${message}\n\f\nFrom: bo@example.org\nSubject: Re: Ship it\n\nDone.`;
  const { drafts } = await chunker.chunk(documentAt('a.mbox', text), sizeLimits(5, 50, 100));
  expect(drafts.map(({ section, metadata }) => [section, metadata])).toEqual([
    ['Ship it', { subject: 'Ship it', from: 'ann@example.org', date: '2026-03-03', message: 1 }],
    ['Re: Ship it', { subject: 'Re: Ship it', from: 'bo@example.org', message: 2 }],
  ]);
});

test('separates the messages of an archived mailbox, and not a sentence that begins with From', async () => {
  const start = 'From ann at example.org  Tue Mar  3 10:00:00 2026\n';
  const text = `${start}${message}\n\nFrom 2020 to 2026 we grew.\n\n${start}${message}`;
  const chunks = await cutUp(chunker, documentAt('list.txt', text), sizeLimits(5, 50, 100));
  expect(chunks.map(([, part]) => part)).toEqual([
    `${start}${message}\n\nFrom 2020 to 2026 we grew.`,
    `${start}${message}`,
  ]);
});

test('holds any text whole, in order and within the maximum', async () => {
  const lines = [
    'From: a@b.c',
    'From a@b.c Tue Mar  3 10:00:00 2026',
    '\f',
    'Subject: x',
    '> quoted',
    'Text. More.',
  ];
  await expectFaithful(chunker, 'a.mbox', textFrom(lines));
});
