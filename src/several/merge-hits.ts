import type { Hit } from '../core/hit.ts';
import { declaresNamed } from '../retrieval/definitions.ts';
import { analyseQuery } from '../retrieval/query/analyse-query.ts';
import { withoutNearDuplicates } from '../retrieval/thinning/near-duplicates.ts';

/** How a list of one project is merged. */
interface Ranked {
  readonly hit: Hit;
  /** Never rises from one hit of a project to the next. */
  readonly key: number;
  /** Its rank within its project, counted from 0. */
  readonly rank: number;
}

/**
 * One list of several, by relevance. Each list keeps its order; hits that stand in another order than their relevance count
 * with their mean, so that a weak one does not hold back a strong one, nor the strong one lift it. Of equal hits the better
 * ranked comes first, and before all others what has the full name that is asked for, as it does in its project. A text that several
 * projects have is shown once, with its other places.
 */
export function mergeHits(lists: readonly (readonly Hit[])[], max: number, query = ''): Hit[] {
  const ranked = lists.flatMap(rankedOf);
  const { defined } = analyseQuery(query);
  const top = Math.max(...ranked.map(({ key }) => key));
  const isMeant = ({ hit }: Ranked): boolean => defined !== '' && declaresNamed(defined, hit.chunk);
  const meant = new Set(ranked.filter(isMeant).map(({ hit }) => hit));
  const merged = ranked
    .map((one) => (meant.has(one.hit) ? { ...one, key: top } : one))
    .sort(
      (one, other) =>
        other.key - one.key ||
        Number(meant.has(other.hit)) - Number(meant.has(one.hit)) ||
        one.rank - other.rank,
    )
    .map(({ hit, key, rank }) => {
      const trace = [...hit.trace, { stage: 'project', rank: rank + 1, score: key }];
      return { match: { ...hit, score: key }, hit: { ...hit, score: key, trace } };
    });
  return withoutNearDuplicates(merged)
    .slice(0, max)
    .map(({ hit, alsoAt = [] }) => {
      const places = [...(hit.alsoAt ?? []), ...alsoAt];
      return places.length > 0 ? { ...hit, alsoAt: places } : hit;
    });
}

/** The means of neighbours whose relevance rises, until it rises nowhere. */
function rankedOf(hits: readonly Hit[]): Ranked[] {
  const pools: { sum: number; hits: Hit[] }[] = [];
  for (const hit of hits) {
    let pool = { sum: hit.relevance, hits: [hit] };
    for (let last = pools.at(-1); last && meanOf(last) < meanOf(pool); last = pools.at(-1)) {
      pools.pop();
      pool = { sum: last.sum + pool.sum, hits: [...last.hits, ...pool.hits] };
    }
    pools.push(pool);
  }
  const keyed = pools.flatMap((pool) => pool.hits.map((hit) => ({ hit, key: meanOf(pool) })));
  return keyed.map((each, rank) => ({ ...each, rank }));
}

function meanOf({ sum, hits }: { readonly sum: number; readonly hits: readonly Hit[] }): number {
  return sum / hits.length;
}
