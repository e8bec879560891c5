import type { ResultOf } from '../api/operations.ts';
import { linkTo } from '../shell/route.ts';
import { ago, counted, plural } from '../shell/words.ts';
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
      <h2>Ways to ask</h2>
      <dl class="ways">
        <dt>how is a lock taken?</dt>
        <dd>a question: by meaning and by words</dd>
        <dt>putDocument</dt>
        <dd>a name: its definition comes first</dd>
        <dt>src/store.ts timeout</dt>
        <dd>a file that you name is looked into</dd>
        <dt>“exact words”</dt>
        <dd>a quote is found as it is written</dd>
      </dl>
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
