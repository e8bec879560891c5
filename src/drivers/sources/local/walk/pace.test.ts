import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { Pace } from './pace.ts';

/** A clock that stands still but for the time that each reading of it takes. */
function clockOf(millisecondsPerLook: { value: number }): () => number {
  let time = 0;
  return () => {
    time += millisecondsPerLook.value;
    return time;
  };
}

const isWaitedFor = (answer: unknown): boolean => answer instanceof Promise;

describe('Pace', () => {
  test('gives the same answer for a path, directly or in a thread', async () => {
    const folder = await temporaryFolder({ 'a.md': 'text', 'sub/b.md': 'more' });
    const look = { value: 0 };
    const pace = new Pace(clockOf(look));
    const direct = { stats: pace.look(join(folder, 'a.md')), entries: pace.list(folder) };
    look.value = 10;
    await pace.look(folder);
    const aside = { stats: pace.look(join(folder, 'a.md')), entries: pace.list(folder) };
    expect([direct.stats, direct.entries].map(isWaitedFor)).toEqual([false, false]);
    expect([aside.stats, aside.entries].map(isWaitedFor)).toEqual([true, true]);
    const { size, mtimeMs } = await direct.stats;
    expect(await aside.stats).toMatchObject({ size, mtimeMs });
    const names = async (entries: typeof aside.entries) => (await entries).map(({ name }) => name).sort();
    expect(await names(aside.entries)).toEqual(await names(direct.entries));
  });

  test('looks directly for as long as answers come at once', async () => {
    const folder = await temporaryFolder({});
    const pace = new Pace(clockOf({ value: 0.01 }));
    const answers = Array.from({ length: 1000 }, () => pace.look(folder));
    expect(answers.some(isWaitedFor)).toBe(false);
  });

  /** How many looks were made aside before each of so many direct ones. */
  async function looksAside(pace: Pace, folder: string, direct: number): Promise<number[]> {
    const counts = [0];
    while (counts.length <= direct) {
      const answer = pace.look(folder);
      if (isWaitedFor(answer)) counts[counts.length - 1] = (counts.at(-1) ?? 0) + 1;
      else counts.push(0);
      await answer;
    }
    return counts.slice(0, -1);
  }

  test('goes aside for a moment after one slow answer', async () => {
    const folder = await temporaryFolder({});
    const look = { value: 10 };
    const pace = new Pace(clockOf(look));
    expect(isWaitedFor(pace.look(folder))).toBe(false);
    look.value = 0;
    const [first, ...later] = await looksAside(pace, folder, 500);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(100);
    expect(later.every((count) => count === 0)).toBe(true);
  });

  test('stays aside for longer the more answers are slow, and forgets that when they are quick again', async () => {
    const folder = await temporaryFolder({});
    const look = { value: 10 };
    const pace = new Pace(clockOf(look));
    const counts = await looksAside(pace, folder, 9);
    expect(counts[0]).toBe(0);
    expect(counts.slice(1)).toEqual([32, 64, 128, 256, 512, 1024, 1024, 1024]);
    look.value = 0;
    const quick = await looksAside(pace, folder, 100);
    expect(quick[0]).toBe(1024);
    look.value = 10;
    expect((await looksAside(pace, folder, 3)).slice(1)).toEqual([32, 64]);
  });

  test.each(['look', 'list'] as const)('goes aside after a slow failure to %s too', async (ask) => {
    const absent = join(await temporaryFolder({}), 'absent');
    const pace = new Pace(clockOf({ value: 10 }));
    expect(() => pace[ask](absent)).toThrow('ENOENT');
    await expect(pace[ask](absent)).rejects.toThrow('ENOENT');
  });

  test('is due for a rest after a while of work, and not right after one', async () => {
    let time = 0;
    const pace = new Pace(() => time);
    expect(pace.isDue).toBe(false);
    time = 100;
    expect(pace.isDue).toBe(true);
    await pace.rest();
    expect(pace.isDue).toBe(false);
  });

  test('lets what waits for its turn run while it rests', async () => {
    let hasRun = false;
    setImmediate(() => {
      hasRun = true;
    });
    await new Pace().rest();
    expect(hasRun).toBe(true);
  });

  test('throws or rejects where nothing can be known', async () => {
    const folder = await temporaryFolder({});
    const look = { value: 0 };
    const pace = new Pace(clockOf(look));
    expect(() => pace.look(join(folder, 'absent'))).toThrow('ENOENT');
    expect(() => pace.list(join(folder, 'absent'))).toThrow('ENOENT');
    look.value = 10;
    await pace.look(folder);
    await expect(pace.look(join(folder, 'absent'))).rejects.toThrow('ENOENT');
    await expect(pace.list(join(folder, 'absent'))).rejects.toThrow('ENOENT');
  });
});
