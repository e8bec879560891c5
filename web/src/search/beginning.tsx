import { runningIndex } from '../api/jobs.ts';
import type { ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { linkTo } from '../shell/route.ts';
import { ago, counted, plainly, plural } from '../shell/words.ts';
import { LeftOutLine } from './left-out-line.tsx';
import { askFor } from './query-state.ts';
import { Remembered } from './remembered.tsx';

/** What is shown before anything was asked. */
export function Beginning({
  project,
  overview,
}: {
  project: string;
  overview: ResultOf<'status'> | undefined;
}) {
  const isEmpty = overview?.empty ?? true;
  const examples = useAnswer(
    async () => (isEmpty ? [] : (await import('./examples.ts')).examplesOf(project)),
    [project, isEmpty, overview?.documents],
  );
  const types = Object.entries(overview?.types ?? {}).sort(([, a], [, b]) => b - a);
  const isQuiet = overview !== undefined && !overview.empty && !overview.disabled;
  const state = overview && (
    <p class="quiet state">
      {stateOf(overview)} <LeftOutLine project={project} overview={overview} />{' '}
      <TooOld project={project} overview={overview} />
      {overview.empty && overview.enabled && !runningIndex.value && (
        <a href={linkTo(project, 'status')}>Index it now</a>
      )}
    </p>
  );
  return (
    <section class="beginning">
      {/* Where there is nothing to find yet, that comes first. */}
      {!isQuiet && state}
      <Remembered project={project} />
      {examples.result && examples.result.length > 0 && (
        <>
          <h2>Try one of these, from your own files</h2>
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
          <p class="quiet narrowing">
            Narrow down as you type: <code>kind:email</code> <code>from:anna</code> <code>in:docs</code>{' '}
            <code>lang:ts</code> <code>path:*.md</code> <code>tag:todo</code> <code>since:7d</code>; leave
            out: <code>-in:test</code>
          </p>
        </>
      )}
      {isQuiet && state}
    </section>
  );
}

/** That messages are left out for their age, which is so at first, and where that can be changed. */
function TooOld({ project, overview }: { project: string; overview: ResultOf<'status'> }) {
  const inPart = overview.degraded.filter(({ detail }) => detail.includes('(max_age_days)')).length;
  const count = inPart + (overview.skipped_reasons['too-old'] ?? 0);
  if (count === 0) return null;
  return (
    <>
      {count === 1 ? '1 file is' : `${counted(count)} files are`} left out, whole or in part, for being old
      (mail after 60 days, if nothing else is set).{' '}
      <a href={linkTo(project, 'settings', { filter: 'max_age_days' })}>Search older ones too</a>
    </>
  );
}

function stateOf({ disabled, empty, documents, chunks, pending, synced_at }: ResultOf<'status'>): string {
  if (disabled) return `${disabled.message} ${disabled.remedy}`;
  if (empty && runningIndex.value) return 'The folder is being indexed: search what is there already.';
  if (empty) return 'Nothing is indexed yet: the first search reads the folder.';
  const text = `${plural(documents, 'document')} in ${plural(chunks, 'piece')} of text`;
  const byWords = pending > 0 ? `, ${counted(pending)} of them found by words alone so far` : '';
  return `${text}${byWords}${synced_at ? `, read ${ago(synced_at)}` : ''}.`;
}
