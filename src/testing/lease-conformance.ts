import assert from 'node:assert/strict';
import type { LeaseRecord } from '../contracts/leases.ts';

/** Opens the record of a lease that nobody has had, as another process would. */
export type OpenLease = (name: string) => Promise<LeaseRecord>;

/** One promise of the record of a lease and the function that checks it. */
export interface LeaseCheck {
  readonly promise: string;
  check(open: OpenLease): Promise<void>;
}

/** Everything that a store promises of the records of its leases, as checks that any test runner can loop over. */
export const leaseConformance: readonly LeaseCheck[] = [
  {
    promise: 'grants a lease to one of all who ask at once',
    async check(open) {
      const records = await Promise.all(Array.from({ length: 5 }, () => open('writer')));
      const outcomes = await Promise.all(
        records.map(async (record) => {
          const known = await record.read();
          if (known && known.state !== 'free') return false;
          return record.replace(known?.fence, held((known?.fence ?? 0) + 1));
        }),
      );
      assert.equal(outcomes.filter((isGranted) => isGranted).length, 1);
      await closeAll(records);
    },
  },
  {
    promise: 'shows who looks whether it is held and by whom, each renewal, and that it was given back',
    async check(open) {
      const [own, other] = [await open('writer'), await open('writer')];
      assert.equal(await own.read(), undefined);
      assert.equal(await own.replace(undefined, held(7)), true);
      const first = await other.read();
      assert.deepEqual([first?.fence, first?.state, first?.holder], [7, 'held', held(7).holder]);
      await new Promise((resolve) => setTimeout(resolve, 5));
      assert.equal(await own.replace(7, held(7)), true);
      const renewed = await other.read();
      assert.deepEqual([renewed?.fence, renewed?.state], [7, 'held']);
      assert.notEqual(renewed?.stamp, first?.stamp);
      assert.equal(await own.replace(7, { holder: '', fence: 7 }), true);
      await own.close();
      const free = await other.read();
      assert.deepEqual([free?.fence, free?.state], [7, 'free']);
      assert.equal(await other.replace(7, held(8)), true);
      await other.close();
    },
  },
  {
    promise: 'lets the next one in only by the fence that it has seen, and a previous holder no more',
    async check(open) {
      const [own, next] = [await open('writer'), await open('writer')];
      // As high as fences are: the time in milliseconds.
      const high = Date.now();
      await own.read();
      await own.replace(undefined, held(7));
      await next.read();
      assert.equal(await next.replace(6, held(8)), false);
      assert.equal(await next.replace(undefined, held(8)), false);
      assert.equal(await next.replace(7, held(high)), true);
      assert.equal(await own.replace(7, held(7)), false);
      assert.equal((await (await open('writer')).read())?.fence, high);
      await closeAll([own, next]);
    },
  },
  {
    promise: 'keeps leases of two names apart',
    async check(open) {
      const [writer, vectors] = [await open('writer'), await open('vectors')];
      await writer.read();
      assert.equal(await writer.replace(undefined, held(7)), true);
      assert.equal(await vectors.read(), undefined);
      assert.equal(await vectors.replace(undefined, held(1)), true);
      await closeAll([writer, vectors]);
    },
  },
];

function held(fence: number) {
  return { holder: `machine ${process.pid} mark`, fence };
}

async function closeAll(records: readonly LeaseRecord[]): Promise<void> {
  for (const record of records) await record.close();
}
