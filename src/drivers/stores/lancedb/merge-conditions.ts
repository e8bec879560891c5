import type { Table } from '@lancedb/lancedb';
import { type Fences, lockLost } from '../../../contracts/leases.ts';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { oneOf, quoted, type Row } from './rows.ts';

/** What must hold in the table for a commit to be made. */
export interface MergeConditions {
  /** No lease has a higher fence there. */
  readonly fences: Fences;
  /** Rows, by their keys, that still hold these records. The commit replaces each of them. */
  readonly records?: ReadonlyMap<string, string>;
}

const fenceKey = (name: string) => `fence:${name}`;

/** The rows that a commit carries for its fences: each is replaced, so that of two commits at once one is done again. */
export function fenceRows({ fences }: MergeConditions): Row[] {
  return [...fences].map(([name, fence]) => ({
    key: fenceKey(name),
    kind: 'fence',
    embedding_key: fenceKey(name),
    position: fence,
  }));
}

/**
 * A condition for the rows of a merge that is true, and fails the whole merge where one of the conditions does not hold: LanceDB
 * commits on no other. It is looked at again where the merge is done again after another commit.
 */
export function mergeCondition({
  fences,
  records = new Map(),
}: MergeConditions): { readonly where: string } | undefined {
  const violations = [
    ...[...fences].map(
      ([name, fence]) => `(target.key = ${quoted(fenceKey(name))} AND target.position > ${fence})`,
    ),
    ...[...records].map(
      ([key, record]) =>
        `(target.key = ${quoted(key)} AND (target.record IS NULL OR target.record <> ${quoted(record)}))`,
    ),
  ];
  return violations.length === 0
    ? undefined
    : { where: `1 / (1 - CAST((${violations.join(' OR ')}) AS INT)) > 0` };
}

/** The error for a merge that failed: `lock-lost` where a fence there is higher, and `store-busy` where a record is another by now. */
export async function refusalOf(
  thrown: unknown,
  table: Table,
  { fences, records = new Map() }: MergeConditions,
): Promise<unknown> {
  if (!/divide by zero/i.test(messageOf(thrown))) return thrown;
  const keys = [...[...fences.keys()].map(fenceKey), ...records.keys()];
  const rows = await table.query().where(oneOf('key', keys)).select(['key', 'position', 'record']).toArray();
  const stored = new Map(rows.map((row) => [String(row.key), row]));
  if ([...fences].some(([name, fence]) => Number(stored.get(fenceKey(name))?.position ?? 0) > fence))
    return lockLost();
  if ([...records].every(([key, record]) => stored.get(key)?.record === record)) return thrown;
  return new QuarryError(
    'store-busy',
    'Another writer has changed what this one was to replace.',
    'Nothing was written. Run the same command again.',
    { cause: thrown },
  );
}
