import type { ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { linkTo } from '../shell/route.ts';
import { ago, counted, plainly, plural } from '../shell/words.ts';
import { examplesOf } from './examples.ts';
import { pastQueries } from './past-queries.ts';
import { askFor } from './query-state.ts';

/** What is shown before anything was asked. */
export function Beginning({
  project,
  overview,
}: {
  project: string;
  overview: ResultOf<'status'> | undefined;
}) {
  const past = pastQueries(project);
  const isEmpty = overview?.empty ?? true;
  const examples = useAnswer(async () => (isEmpty ? [] : examplesOf(project)), [project, isEmpty]);
  const types = Object.entries(overview?.types ?? {}).sort(([, a], [, b]) => b - a);
  return (
    <section class="beginning">
      {overview && (
        <p class="quiet">
          {stateOf(overview)}{' '}
          {overview.empty && overview.enabled && <a href={linkTo(project, 'status')}>Index it now</a>}
        </p>
      )}
      {past.length > 0 && (
        <>
          <h2>Asked before</h2>
          <ul class="chips">
            {past.map((query) => (
              <li key={query}>
                <button type="button" onClick={() => askFor({ query })}>
                  {query}
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {types.length > 0 && (
        <>
          <h2>Look through</h2>
          <ul class="chips">
            {types.map(([type, count]) => (
              <li key={type}>
                <button type="button" onClick={() => askFor({ type })}>
                  {type} <span class="quiet">{counted(count)}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {examples.result && examples.result.length > 0 && (
        <>
          <h2>Ways to ask, with what is in here</h2>
          <dl class="ways">
            {examples.result.map(({ query, shows }) => (
              <div key={query}>
                <dt>
                  <button type="button" class="link" onClick={() => askFor({ query })}>
                    {plainly(query)}
                  </button>
                </dt>
                <dd>{shows}</dd>
              </div>
            ))}
          </dl>
        </>
      )}
    </section>
  );
}

function stateOf({ disabled, empty, documents, chunks, pending, synced_at }: ResultOf<'status'>): string {
  if (disabled) return `${disabled.message} ${disabled.remedy}`;
  if (empty) return 'Nothing is indexed yet: the first search reads the folder.';
  const text = `${plural(documents, 'document')} in ${plural(chunks, 'chunk')}`;
  const vectors = pending > 0 ? `, ${plural(pending, 'vector')} to make` : '';
  return `${text}${vectors}${synced_at ? `, read ${ago(synced_at)}` : ''}.`;
}
