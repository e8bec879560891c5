import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../testing/temporary-folder.ts';
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
  test('tells the same of a path, whether it looks directly or aside', async () => {
    const folder = await temporaryFolder({ 'a.md': 'text', 'sub/b.md': 'more' });
    const look = { value: 0 };
    const pace = new Pace(clockOf(look));
    const direct = { stats: pace.look(join(folder, 'a.md')), entries: pace.list(folder) };
    look.value = 10;
    pace.look(folder);
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

  test('goes aside after a slow answer, and tries again later', async () => {
    const folder = await temporaryFolder({});
    const look = { value: 10 };
    const pace = new Pace(clockOf(look));
    expect(isWaitedFor(pace.look(folder))).toBe(false);
    look.value = 0;
    const waits: boolean[] = [];
    for (let count = 0; count < 600; count += 1) {
      const answer = pace.look(folder);
      waits.push(isWaitedFor(answer));
      await answer;
    }
    const firstDirect = waits.indexOf(false);
    expect(firstDirect).toBeGreaterThan(100);
    expect(waits.slice(firstDirect).some(Boolean)).toBe(false);
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

  test('throws or rejects where nothing can be told', async () => {
    const folder = await temporaryFolder({});
    const look = { value: 0 };
    const pace = new Pace(clockOf(look));
    expect(() => pace.look(join(folder, 'absent'))).toThrow('ENOENT');
    expect(() => pace.list(join(folder, 'absent'))).toThrow('ENOENT');
    look.value = 10;
    pace.look(folder);
    await expect(pace.look(join(folder, 'absent'))).rejects.toThrow('ENOENT');
    await expect(pace.list(join(folder, 'absent'))).rejects.toThrow('ENOENT');
  });
});
