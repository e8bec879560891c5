import { expect, test } from 'vitest';
import { createLogChunker } from './log.ts';
import { readLogLine } from './log-line.ts';
import { cutUp, documentAt, expectFaithful, sizeLimits, textFrom } from './sections.fixture.ts';

const chunker = createLogChunker();

test('cuts where the day changes and names the day', async () => {
  const first = '2026-11-14T23:59:01Z INFO closing the connection';
  const second = '2026-11-15 00:00:02 ERROR no route to the host';
  const chunks = await cutUp(chunker, documentAt('a.log', `${first}\n${second}\n`), sizeLimits(5, 20, 40));
  expect(chunks).toEqual([
    ['2026-11-14', first],
    ['2026-11-15', second],
  ]);
});

test('cuts at session lines and names the session', async () => {
  const text = '=== Session 7 ===\n10:00 opened the door\n=== Session 8 ===\n11:00 closed the door again';
  const chunks = await cutUp(chunker, documentAt('a.log', text), sizeLimits(5, 20, 40));
  expect(chunks.map(([section]) => section)).toEqual(['Session 7', 'Session 8']);
});

test('keeps an entry and its stack trace together', async () => {
  const trace = (day: number) =>
    `2026-11-15 0${day}:00:00 ERROR failed\n    at first (a.ts:1)\n    at second (b.ts:2)`;
  const text = [trace(1), trace(2), trace(3)].join('\n');
  const chunks = await cutUp(chunker, documentAt('a.log', text), sizeLimits(2, 15, 20));
  expect(chunks.map(([, part]) => part)).toEqual([trace(1), trace(2), trace(3)]);
});

test('joins days below the minimum and names the first and the last', async () => {
  const text = '2026-11-14 a\n2026-11-15 b\n2026-11-16 c';
  const chunks = await cutUp(chunker, documentAt('a.log', text), sizeLimits(20, 40, 60));
  expect(chunks).toEqual([['2026-11-14 – 2026-11-16', text]]);
});

test.each([
  ['2026-11-15T03:59:16.123Z started', '2026-11-15'],
  ['[2026/11/15 03:59:16] started', '2026-11-15'],
  ['## 2026-11-15', '2026-11-15'],
  ['<13>Nov 15 03:59:16 host sshd[1]: ok', 'Nov 15'],
  ['127.0.0.1 - - [15/Nov/2026:03:59:16 +0000] "GET /"', '2026-11-15'],
  ['{"level":"info","time":"2026-11-15T03:59:16Z"}', '2026-11-15'],
  ['15.11.2026 03:59 gestartet', '15.11.2026'],
])('reads the day of %s', (line, date) => {
  expect(readLogLine(line)).toEqual({ startsEntry: true, date });
});

test.each([
  '    at run (a.ts:1)',
  '',
  'Caused by: java.io.IOException',
  'Traceback (most recent call last):',
])('takes %j as part of the entry before it', (line) => {
  expect(readLogLine(line)).toEqual({ startsEntry: false });
});

test('holds any text whole, in order and within the maximum', async () => {
  const lines = [
    '2026-11-15 01:02:03 INFO ok',
    '2026-11-16 x',
    '=== Session 2',
    '    at f',
    'ERROR bad',
    '# run 3',
  ];
  await expectFaithful(chunker, 'a.log', textFrom(lines));
});
