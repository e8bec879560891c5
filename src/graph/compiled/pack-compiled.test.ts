import { afterEach, describe, expect, test, vi } from 'vitest';
import { type MadeOccurrence, scipDocument } from '../../../test/scip-bytes.ts';
import { packCompiled } from './pack-compiled.ts';

const few = { definitions: 10, files: 5, bytes: 10_000, mentions: 20 };

function pack(index: Buffer, signal?: AbortSignal) {
  return packCompiled((at, length) => index.subarray(at, at + length), index.length, signal, few);
}

function definitions(count: number, from = 0): MadeOccurrence[] {
  return Array.from({ length: count }, (_, at) => ({
    line: at + 1,
    column: 1,
    symbol: `s ${from + at} x#`,
    isDefinition: true,
  }));
}

/** So many mentions of the first definition. */
function mentions(count: number): MadeOccurrence[] {
  return Array.from({ length: count }, (_, at) => ({ line: at + 1, column: 1, symbol: 's 0 x#' }));
}

afterEach(() => {
  vi.restoreAllMocks();
});

describe('of an index', () => {
  test('nothing is used that has more definitions than fit in memory', async () => {
    expect((await pack(scipDocument('a.ts', definitions(10))))?.definitions).toHaveLength(10);
    expect(await pack(scipDocument('a.ts', definitions(11)))).toBeUndefined();
  });

  test('nothing is kept of a file of which it says nothing', async () => {
    const empty = Array.from({ length: 1_000 }, (_, at) => scipDocument(`${at}.ts`, []));
    const index = await pack(Buffer.concat([...empty, scipDocument('a.ts', definitions(1))]));
    expect(index?.files.map(({ uri }) => uri)).toEqual(['a.ts']);
  });

  test('nothing is used that has more files than are kept', async () => {
    const files = Array.from({ length: 6 }, (_, at) => scipDocument(`${at}.ts`, definitions(1)));
    expect((await pack(Buffer.concat(files.slice(1))))?.files).toHaveLength(5);
    expect(await pack(Buffer.concat(files))).toBeUndefined();
  });

  test('nothing is used that has more parts than are looked up', async () => {
    const document = scipDocument('a.ts', definitions(1));
    const parts = Buffer.alloc(1_000_002, '\x18\x01');
    expect(await pack(Buffer.concat([document, parts.subarray(0, 2_000)]))).toBeDefined();
    expect(await pack(Buffer.concat([document, parts]))).toBeUndefined();
  });

  test('nothing is used whose names take more memory than they may', async () => {
    const named = definitions(8).map((each) => ({ ...each, symbol: each.symbol.padStart(1_500, 'x') }));
    expect((await pack(scipDocument('a.ts', named.slice(0, 5))))?.definitions).toHaveLength(5);
    expect(await pack(scipDocument('a.ts', named))).toBeUndefined();
  });

  test('nothing is used whose mentions take more memory than they may', async () => {
    const files = Array.from({ length: 3_000 }, () => scipDocument('a.ts', mentions(1)));
    expect(await pack(Buffer.concat([scipDocument('a.ts', definitions(1)), ...files]))).toBeUndefined();
  });

  test('a file is left out of which it says too much, and the others are used', async () => {
    const large = Buffer.alloc(2 ** 22 + 1);
    const index = await pack(
      Buffer.concat([
        scipDocument('a.ts', definitions(1)),
        scipDocument('many.ts', mentions(21)),
        Buffer.from([0x12, 0x81, 0x80, 0x80, 0x02]),
        large,
        scipDocument('b.ts', mentions(20)),
      ]),
    );
    expect(index?.files.map(({ uri }) => uri)).toEqual(['a.ts', 'b.ts']);
    expect(index?.leftOut).toBe(2);
  });
});

describe('reading one file of an index', () => {
  const document = Buffer.concat([
    scipDocument('a.ts', definitions(1)),
    scipDocument('b.ts', mentions(1_000)),
  ]);
  /** A clock by which every step takes long. */
  const slow = () => {
    let now = 0;
    vi.spyOn(performance, 'now').mockImplementation(() => {
      now += 30;
      return now;
    });
  };

  test('lets other work be done meanwhile', async () => {
    slow();
    let rounds = 0;
    let next: NodeJS.Immediate | undefined;
    const count = () => {
      rounds += 1;
      next = setImmediate(count);
    };
    next = setImmediate(count);
    await pack(document);
    clearImmediate(next);
    expect(rounds).toBeGreaterThan(50);
  });

  test('ends when nobody wants it any more', async () => {
    slow();
    const stopped = new AbortController();
    setImmediate(() => stopped.abort());
    let reads = 0;
    const read = (at: number, length: number) => {
      reads += 1;
      return document.subarray(at, at + length);
    };
    await expect(packCompiled(read, document.length, stopped.signal)).rejects.toThrow();
    // Both files once, and neither of them again.
    expect(reads).toBe(4);
  });
});
