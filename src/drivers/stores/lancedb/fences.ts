import type { Fences } from '../../../contracts/leases.ts';
import { quoted, type Row } from './rows.ts';

const fenceKey = (name: string) => `fence:${name}`;

/** The rows that a commit carries for its fences: each is replaced, so that of two commits at once one is done again. */
export function fenceRows(fences: Fences): Row[] {
  return [...fences].map(([name, fence]) => ({
    key: fenceKey(name),
    kind: 'fence',
    embedding_key: fenceKey(name),
    position: fence,
  }));
}

/**
 * A condition for the rows of a merge that is true, and fails the whole merge where a row has a higher fence: LanceDB commits on
 * no other condition. It is looked at again where the merge is done again after another commit.
 */
export function fenceCondition(fences: Fences): { readonly where: string } | undefined {
  const isHigher = [...fences].map(
    ([name, fence]) => `(target.key = ${quoted(fenceKey(name))} AND target.position > ${fence})`,
  );
  if (isHigher.length === 0) return undefined;
  // `lanceFailure` knows its failure.
  return { where: `1 / (1 - CAST((${isHigher.join(' OR ')}) AS INT)) > 0` };
}
