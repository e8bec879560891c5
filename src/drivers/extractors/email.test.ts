import { expect, test } from 'vitest';
import { defaultBounds } from './bounds.ts';
import { createEmailExtractor } from './email.ts';
import { createMboxExtractor } from './mbox.ts';
import { headerValue } from './message-headers.ts';
import { extractFrom, sampleMessage, textOf } from './samples.fixture.ts';

const extractor = createEmailExtractor();
const mbox = createMboxExtractor();
const postmark = 'From ann@example.org Tue Mar  3 10:00:00 2026\n';

const shown = [
  'From: Renée <renee@example.org>',
  'To: Bo <bo@example.org>, team@example.org',
  'Date: 2026-03-03T09:00:00.000Z',
  'Subject: Re: Release',
  'Message-ID: <two@example.org>',
  'In-Reply-To: <one@example.org>',
  '',
  'Café at noon works.',
  '',
  '> Shall we ship?',
  '',
  '-- ',
  'Renée',
  '',
  'Attachments: plan.pdf (application/pdf, 3 bytes)',
].join('\n');

test('shows headers, body, quotation and signature, and attachments by name', async () => {
  expect(await extractFrom(extractor, sampleMessage)).toMatchObject({
    kind: 'text',
    text: shown,
    chunker: 'email',
    title: 'Re: Release',
    metadata: {
      from: 'Renée <renee@example.org>',
      to: 'Bo <bo@example.org>, team@example.org',
      date: '2026-03-03T09:00:00.000Z',
      subject: 'Re: Release',
      messageId: '<two@example.org>',
      inReplyTo: '<one@example.org>',
      attachments: ['plan.pdf (application/pdf, 3 bytes)'],
    },
  });
});

test('shows the text of a message that is HTML alone', async () => {
  const message =
    'From: a@b.c\nSubject: News\nContent-Type: text/html\n\n<style>p{}</style><h2>Hi</h2><p>There &amp; here</p>';
  expect(textOf(await extractFrom(extractor, message))).toBe(
    'From: a@b.c\nSubject: News\n\n## Hi\n\nThere & here',
  );
});

test('shows one message as plain text whose parts disagree', async () => {
  const message =
    'From: a@b.c\nContent-Type: multipart/alternative; boundary=x\n\n--x\nContent-Type: text/plain\n\nplain\n--x\nContent-Type: text/html\n\n<p>rich</p>\n--x--\n';
  expect(textOf(await extractFrom(extractor, message))).toBe('From: a@b.c\n\nplain');
});

test('gives a reason for text without headers and for parts nested without end', async () => {
  expect(textOf(await extractFrom(extractor, '\n\njust words'))).toBe(
    'unsupported: broken e-mail: no headers',
  );
  let message = 'text';
  for (let level = 0; level < 200; level += 1) {
    message = `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n${message}\n--b${level}--\n`;
  }
  expect(textOf(await extractFrom(extractor, `From: a@b.c\n${message}`))).toMatch(
    /^unsupported: broken e-mail: ./,
  );
});

test('gives a reason for a message of countless parts', async () => {
  const message = `From: a@b.c\nContent-Type: multipart/mixed; boundary=x\n\n${'--x\n\n'.repeat(1_000_000)}`;
  expect(textOf(await extractFrom(extractor, message))).toBe(
    'unsupported: broken e-mail: more than 10000 parts',
  );
});

test('reads a message whose last part is cut off', async () => {
  const cut = sampleMessage.slice(0, sampleMessage.indexOf('> Shall'));
  expect(textOf(await extractFrom(extractor, cut))).toContain('Café at noon works.');
});

test('puts a form feed between the messages of a mailbox and restores lines that begin with From', async () => {
  const second = 'From: bo@example.org\nSubject: Two\n\n>From here on.\n';
  const extraction = await extractFrom(mbox, `${postmark}${sampleMessage}\n\n${postmark}${second}`);
  expect(extraction).toMatchObject({
    kind: 'text',
    text: `${shown}\n\f\nFrom: bo@example.org\nSubject: Two\n\nFrom here on.`,
    chunker: 'email',
    metadata: { messages: 2 },
  });
});

test('keeps the newest messages of a mailbox that is too long, whole', async () => {
  const messages = [1, 2, 3, 4].map(
    (at) => `${postmark}From: a@b.c\nSubject: S${at}\n\n${'x'.repeat(50)}\n\n`,
  );
  const short = createMboxExtractor({ ...defaultBounds, outputCharacters: 200 });
  const extraction = await extractFrom(short, messages.join(''));
  expect(extraction).toMatchObject({
    metadata: { messages: 2 },
    places: { marks: [{ at: { message: 3, subject: 'S3' } }, { at: { message: 4, subject: 'S4' } }] },
    degraded: 'the first 2 messages left unread: too much text',
  });
  expect(textOf(extraction).endsWith('x'.repeat(50))).toBe(true);
});

test('counts the messages of a mailbox that cannot be read', async () => {
  const extraction = await extractFrom(mbox, `${postmark}From: a@b.c\n\nx\n\n${postmark}X-Only: 1\n\ny\n`);
  expect(extraction).toMatchObject({ metadata: { messages: 1 }, degraded: '1 messages cannot be read' });
});

test('gives a reason for a mailbox without a message', async () => {
  expect(textOf(await extractFrom(mbox, 'nothing of the kind'))).toBe(
    'unsupported: broken mbox: no message in it',
  );
});

test('cuts a long header between characters', () => {
  expect(headerValue(`x${'🪿'.repeat(5000)}`)?.isWellFormed()).toBe(true);
});
