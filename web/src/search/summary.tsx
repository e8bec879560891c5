import { relevanceWord } from '../../../src/core/relevance.ts';
import type { ResultOf } from '../api/operations.ts';
import { linkTo } from '../shell/route.ts';
import { duration, plural } from '../shell/words.ts';
import { FacetBar } from './facet-bar.tsx';
import { NotFound } from './judge.tsx';
import { SaveSearch } from './save-search.tsx';
import { SetFilters } from './set-filters.tsx';

/** How a query was searched for, where that is not by meaning and words. */
const routeNames: Readonly<Record<string, string>> = {
  dense: 'by meaning',
  text: 'by words',
  exact: 'as it is written',
  regex: 'by pattern',
};

/** One line about the result: how many and how fast, what narrows it down and may, and what can be done with it. */
export function Summary({
  project,
  result,
  isRunning,
}: {
  project: string;
  result: ResultOf<'search'>;
  isRunning: boolean;
}) {
  const { hits, seconds, analysis } = result;
  const isWeak =
    hits.length > 0 &&
    hits.every((hit) => hit.occurrences === undefined && relevanceWord(hit.relevance) === 'weak');
  const way = routeNames[analysis?.route ?? ''];
  return (
    <div class="summary">
      <p role="status">
        {plural(hits.length, 'hit')} in {duration(seconds)}
        {isWeak && (
          <>
            , <b>none a good match</b>
          </>
        )}
        {way !== undefined && <span>, {way}</span>}
        {isRunning && <span class="quiet"> · searching…</span>}
      </p>
      <SetFilters />
      {hits.length > 0 && <FacetBar project={project} result={result} />}
      <div class="for-all">
        <SaveSearch project={project} />
        {hits.length > 0 && <NotFound project={project} name="Not found" />}
        {hits.length > 0 && (
          <a href={linkTo(project, 'map', { query: result.query })} title="Where the hits lie on the map">
            On the map
          </a>
        )}
      </div>
    </div>
  );
}
