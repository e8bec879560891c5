import { relevanceWord } from '../../../src/core/relevance.ts';
import type { ResultOf } from '../api/operations.ts';
import { linkTo, route } from '../shell/route.ts';
import { duration, plural } from '../shell/words.ts';
import { NotFound } from './judge.tsx';
import { PendingNote } from './pending-note.tsx';
import { askFor, question } from './query-state.ts';
import { SaveSearch } from './save-search.tsx';

/** The most hits that a search gives. */
const maxHits = 1000;

const routeNames: Readonly<Record<string, string>> = {
  hybrid: 'by meaning and words',
  dense: 'by meaning',
  text: 'by words',
  exact: 'as it is written',
  regex: 'by pattern',
};

/** One line about the result: how many, how fast, how it was understood, and what is not there yet. */
export function Summary({ result, isRunning }: { result: ResultOf<'search'>; isRunning: boolean }) {
  const { hits, seconds, analysis, pending } = result;
  const project = route.value.project ?? '';
  const wanted = Number(question.value.top) || 10;
  const isWeak =
    hits.length > 0 &&
    hits.every((hit) => hit.occurrences === undefined && relevanceWord(hit.relevance) === 'weak');
  const canBeMore = hits.length === wanted && wanted < maxHits;
  return (
    <div class="summary">
      <p role="status">
        {plural(hits.length, 'hit')} in {duration(seconds)}
        {isWeak && (
          <>
            , <b>none of them a good match</b>
          </>
        )}
        {analysis && <span>, {routeNames[analysis.route] ?? analysis.route}</span>}
        {isRunning && <span class="quiet"> · searching…</span>}
      </p>
      {canBeMore && (
        <button
          type="button"
          class="link"
          onClick={() => askFor({ top: String(Math.min(wanted * 5, maxHits)) })}
        >
          Show more
        </button>
      )}
      <SaveSearch project={project} />
      {hits.length > 0 && <NotFound project={project} />}
      {hits.length > 0 && (
        <a href={linkTo(route.value.project, 'map', { query: result.query })}>On the map</a>
      )}
      {pending > 0 && <PendingNote project={project} pending={pending} />}
    </div>
  );
}
