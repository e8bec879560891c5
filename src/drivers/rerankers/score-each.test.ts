import { describe, expect, test } from 'vitest';
import { QuarryError } from '../../core/errors.ts';
import { scoreEach } from './score-each.ts';

const chunks = [...'abcdef'];
const never = new Promise<never>(() => {});

async function collect(
  concurrency: number,
  score: (chunk: string) => Promise<number>,
  signal = new AbortController().signal,
  budgetMs = Number.POSITIVE_INFINITY,
): Promise<string> {
  let places = '';
  for await (const batch of scoreEach(chunks, concurrency, { budgetMs, signal }, score)) {
    for (const { index } of batch) places += chunks[index];
  }
  return places;
}

describe('scoring each chunk', () => {
  test('begins with the first and does a few at a time', async () => {
    let running = 0;
    let max = 0;
    const begun: string[] = [];
    const places = await collect(2, async (chunk) => {
      begun.push(chunk);
      running += 1;
      max = Math.max(max, running);
      await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return 1;
    });
    expect(begun).toEqual(chunks);
    expect([...places].sort()).toEqual(chunks);
    expect(max).toBe(2);
  });

  test('hands over what is ready while another one takes its time', async () => {
    const controller = new AbortController();
    const score = (chunk: string) => {
      if (chunk === 'f') controller.abort();
      return chunk === 'a' ? never : Promise.resolve(1);
    };
    expect(await collect(2, score, controller.signal)).toBe('bcde');
  });

  test('does not begin what would not be through in time', async () => {
    const begun: string[] = [];
    const score = async (chunk: string) => {
      begun.push(chunk);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return 1;
    };
    // One turn of 20 ms fits into 30 ms, a second one does not.
    expect(await collect(2, score, undefined, 30)).toBe('ab');
    expect(begun).toEqual(['a', 'b']);
  });

  test('ends at once when it is stopped while nothing is ready', async () => {
    const controller = new AbortController();
    const call = collect(2, () => never, controller.signal);
    controller.abort();
    expect(await call).toBe('');
  });

  test('reports a failure, and not one that a stop has caused', async () => {
    const failure = new QuarryError('model-failed', 'No.', 'Wait.');
    await expect(collect(2, () => Promise.reject(failure))).rejects.toBe(failure);
    const controller = new AbortController();
    const stopping = collect(
      1,
      async () => {
        controller.abort();
        throw failure;
      },
      controller.signal,
    );
    expect(await stopping).toBe('');
  });
});
