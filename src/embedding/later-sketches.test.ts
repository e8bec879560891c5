import { expect, test } from 'vitest';
import { createLaterSketches } from './later-sketches.ts';

/** A maker that works on one text at a time, when it is told to. */
function slowMaker() {
  const made: string[] = [];
  const turns: (() => void)[] = [];
  const make = async (text: string, signal: AbortSignal): Promise<boolean> => {
    await new Promise<void>((resolve) => turns.push(resolve));
    if (signal.aborted) throw signal.reason;
    if (text === 'bad') throw new Error('no model');
    made.push(text);
    return text !== 'lost';
  };
  const step = async (): Promise<void> => {
    turns.shift()?.();
    await new Promise(setImmediate);
  };
  return { made, make, step };
}

test('makes what was missed, of the latest query first and the most wanted of it, each once', async () => {
  const { made, make, step } = slowMaker();
  const later = createLaterSketches(make);
  later.want(['a', 'b']);
  later.want(['c', 'a']);
  for (let turn = 0; turn < 5; turn += 1) await step();
  expect(made).toEqual(['a', 'c', 'b']);
  await later.close();
});

test('remembers a limited number of texts', async () => {
  const { made, make, step } = slowMaker();
  const later = createLaterSketches(make);
  later.want(Array.from({ length: 200 }, (_, number) => `${number}`));
  for (let turn = 0; turn < 100; turn += 1) await step();
  expect(made).toHaveLength(64);
  expect(made).toContain('0');
  expect(made).not.toContain('199');
  await later.close();
});

test('a failure ends the work, and the next wish begins it again', async () => {
  const { made, make, step } = slowMaker();
  const later = createLaterSketches(make);
  later.want(['bad', 'a']);
  await step();
  await step();
  later.want(['b']);
  await step();
  expect(made).toEqual(['b']);
  await later.close();
});

test('rests for ten minutes after a sketch could not be kept', async () => {
  const { made, make, step } = slowMaker();
  let now = 1;
  const later = createLaterSketches(make, { now: () => now });
  later.want(['lost', 'a']);
  await step();
  later.want(['b']);
  await step();
  expect(made).toEqual(['lost']);
  now += 10 * 60_000;
  later.want(['c']);
  await step();
  expect(made).toEqual(['lost', 'c']);
  await later.close();
});

test('loses no text that is wanted just when the work on all others ends', async () => {
  for (let turns = 0; turns < 12; turns += 1) {
    const made: string[] = [];
    const later = createLaterSketches(async (text) => made.push(text) > 0);
    later.want(['a']);
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
    later.want(['b']);
    await new Promise(setImmediate);
    expect(made).toEqual(['a', 'b']);
    await later.close();
  }
});

test('what is closed makes nothing more, and its end waits for what is being made', async () => {
  const { made, make, step } = slowMaker();
  const later = createLaterSketches(make);
  later.want(['a', 'b']);
  const closed = later.close();
  await step();
  await step();
  expect(made).toEqual([]);
  await closed;
});
