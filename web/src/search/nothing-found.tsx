import type { ResultOf } from '../api/operations.ts';
import { NotFound } from './judge.tsx';
import { LeftOutLine } from './left-out-line.tsx';
import { askFor, question } from './query-state.ts';
import { filtersIn, noFilters } from './questions.ts';

/** What is shown where nothing was found, with what may help. */
export function NothingFound({
  project,
  overview,
}: {
  project: string;
  overview: ResultOf<'status'> | undefined;
}) {
  const asked = question.value;
  const filters = filtersIn(asked);
  return (
    <section class="empty">
      <h2>Nothing found</h2>
      <p>Nothing in the index answers this well enough.</p>
      {overview && (
        <p class="quiet">
          <LeftOutLine project={project} overview={overview} />
        </p>
      )}
      <ul class="chips">
        {filters > 0 && (
          <li>
            <button type="button" onClick={() => askFor(noFilters)}>
              Search without filters
            </button>
          </li>
        )}
        {asked.route !== '' && (
          <li>
            <button type="button" onClick={() => askFor({ route: '' })}>
              Search by meaning and words
            </button>
          </li>
        )}
        {asked.route !== 'exact' && (
          <li>
            <button type="button" onClick={() => askFor({ route: 'exact' })}>
              Look for exactly this text
            </button>
          </li>
        )}
      </ul>
      <NotFound project={project} name="Not found: keep the question" />
    </section>
  );
}
