import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { jsonLines } from './json-lines.ts';

/** What is passed on of these pieces, and what is answered. */
async function linesOf(...pieces: readonly string[]) {
  const input = new PassThrough();
  const output = new PassThrough();
  const passed = text(jsonLines(input, output));
  for (const piece of pieces) input.write(piece);
  input.end();
  const lines = await passed;
  output.end();
  return { lines, answers: (await text(output)).split('\n').filter(Boolean) };
}

test('a line that is no JSON is answered by a parse error, and the lines around it are passed on', async () => {
  const { lines, answers } = await linesOf('{"id":1}\nnot js', 'on\n{"a":\n\n{"id"', ':2}\r\n');
  expect(lines).toBe('{"id":1}\n{"id":2}\r\n');
  expect(answers.map((answer) => JSON.parse(answer))).toEqual(
    Array(2).fill(
      expect.objectContaining({
        jsonrpc: '2.0',
        id: null,
        error: expect.objectContaining({ code: -32_700 }),
      }),
    ),
  );
});

test('a line below the bound that comes in pieces is answered too', async () => {
  const { lines, answers } = await linesOf('x'.repeat(6 << 20), 'x\n{}\n');
  expect({ lines, answers: answers.length }).toEqual({ lines: '{}\n', answers: 1 });
});

test('a line beyond the bound is passed on as it comes, and not kept', async () => {
  const { lines } = await linesOf('x'.repeat(6 << 20), 'x'.repeat(6 << 20), 'x\n{}\n');
  expect(lines.length).toBe((12 << 20) + 'x\n{}\n'.length);
});

test('pausing it lets go of the input', () => {
  const input = new PassThrough();
  const lines = jsonLines(input, new PassThrough());
  lines.on('data', () => undefined);
  expect(input.isPaused()).toBe(false);
  lines.pause();
  expect([input.isPaused(), input.listenerCount('data')]).toEqual([true, 0]);
});
