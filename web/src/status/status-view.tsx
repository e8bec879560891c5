import './status.css';
import { useEffect, useState } from 'preact/hooks';
import { engineState } from '../api/engine-state.ts';
import { type JobState, jobsOf, startIndexing, whenOthersAct } from '../api/jobs.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { asError, isLost, timeLimit } from '../api/session.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { linkTo } from '../shell/route.ts';
import { ago, bytes, counted, duration, plainly, plural } from '../shell/words.ts';
import { EarlierRuns } from './earlier-runs.tsx';
import { JobCard, speedOf } from './job-card.tsx';
import { LeftOut } from './left-out.tsx';

/** Documents that changed last, which are shown. */
const shownRecent = 6;

/** Milliseconds between two looks at the server. */
const looksEvery = { working: 700, resting: 3000 };

/** What the index holds, what it leaves out, and the work on it. */
export function StatusView({ project }: { project: string }) {
  const [isWorking, setWorking] = useState(false);
  const [failure, setFailure] = useState<unknown>();
  const pause = isWorking ? looksEvery.working : looksEvery.resting;
  const jobs = useAnswer(
    async () => {
      const all = (await jobsOf(project)).filter(({ operation }) => operation === 'index');
      setWorking(all.some(({ state }) => state === 'running'));
      return all;
    },
    [project],
    pause,
  );
  useEffect(() => whenOthersAct(jobs.again), []);
  const status = useAnswer(
    () => perform(project, 'status', { compare: false }, { signal: timeLimit() }),
    [project],
    pause,
  );
  // To compare with the files takes a walk through the folder: once, and after each run.
  const compared = useAnswer(
    () => perform(project, 'status', { recent: shownRecent, topics: 0 }),
    [project, isWorking],
  );
  const engine = useAnswer(engineState, [], looksEvery.resting);
  const start = (full: boolean) => {
    setFailure(undefined);
    // At once: over a slow network the answer takes a while.
    setWorking(true);
    startIndexing(project, full).catch(setFailure).finally(jobs.again);
  };
  const isBlocked = isWorking || isLost.value;
  const state = status.result;
  const last = jobs.result?.at(-1);
  const changes = compared.result?.changes;
  const speed = jobs.result?.map(speedOf).findLast((known) => known !== undefined);
  return (
    <>
      <header class="view-head">
        <h1>{state ? titleOf(state) : 'Status'}</h1>
        {!state?.disabled && (
          <div class="actions">
            <button type="button" class="primary" disabled={isBlocked} onClick={() => start(false)}>
              Index changes
            </button>
            <button type="button" disabled={isBlocked} onClick={() => start(true)}>
              Index all again
            </button>
          </div>
        )}
      </header>
      {state?.disabled && <Problem error={state.disabled} isWarning />}
      {[status.error, failure === undefined ? undefined : asError(failure)].map(
        (error) => error && <Problem key={error.code} error={error} retry={status.again} />,
      )}
      {compared.result?.incomparable && <Problem error={compared.result.incomparable} isWarning />}
      {last && <JobCard job={last} isInSync={isInSync(state, last)} onChange={jobs.again} />}
      {!state && !status.error && <p class="quiet late">Reading…</p>}
      {state && !state.disabled && (
        <div class="all-facts">
          <dl class="facts">
            <Fact
              name="Documents"
              value={counted(state.documents)}
              note={plural(state.chunks, 'piece of text (chunk)', 'pieces of text (chunks)')}
            />
            <Fact
              name="Not found by meaning yet"
              value={counted(state.pending)}
              note={state.pending > 0 ? 'found by words until then' : 'all are found by both'}
            />
            <Fact
              name="Files changed since the last read"
              value={changes ? counted(changes.added + changes.changed + changes.deleted) : '…'}
              note={[
                state.synced_at ? `read ${ago(state.synced_at)}` : 'never read',
                changes && `${changes.added} new, ${changes.changed} changed, ${changes.deleted} deleted`,
              ]
                .filter(Boolean)
                .join('; ')}
            />
          </dl>
          <details>
            <summary>More about the index</summary>
            <dl class="facts">
              <Fact name="Index on disk" value={bytes(state.bytes)} />
              <Fact name="Model" {...modelOf(state.embedder, speed)} />
              {engine.result && (
                <Fact
                  name="Memory in use"
                  value={bytes(engine.result.memory_bytes)}
                  note={`running for ${duration(engine.result.uptime_seconds)}`}
                />
              )}
            </dl>
          </details>
        </div>
      )}
      <div class="status-parts">
        <div class="status-holds">
          {state && Object.keys(state.types).length > 0 && <Types types={state.types} />}
          <Recent project={project} documents={compared.result?.recent ?? []} />
        </div>
        {state && !state.disabled && (
          <div class="status-holds">
            <LeftOut project={project} status={state} />
            <EarlierRuns jobs={jobs.result ?? []} />
          </div>
        )}
      </div>
    </>
  );
}

/** Whether the text was equal to the files after a run had begun, and every vector is made. */
function isInSync(state: ResultOf<'status'> | undefined, { started_at }: JobState): boolean {
  if (state?.synced_at === undefined || state.pending > 0) return false;
  return Date.parse(state.synced_at) > Date.parse(started_at);
}

function titleOf({ disabled, empty, chunks }: ResultOf<'status'>): string {
  if (disabled) return 'Disabled';
  return empty ? 'Empty' : `Indexed ${plural(chunks, 'chunk')}`;
}

/** The model of `driver:model:hash`, or the whole where it is otherwise, with where it runs and how fast it was last. */
function modelOf(embedder: string, speed: number | undefined): { value: string; note?: string } {
  const [, driver, model] = /^([^:]+):(.+):[0-9a-f]{8,}$/.exec(embedder) ?? [];
  const place = driver === 'local' || driver === 'static' ? 'on this machine' : `through ${driver}`;
  const notes = [
    model !== undefined && place,
    speed !== undefined && `${plural(Math.round(speed), 'vector')} a second in the last run`,
  ].filter((note) => note !== false);
  return { value: model ?? embedder, ...(notes.length > 0 && { note: notes.join(', ') }) };
}

function Fact({ name, value, note }: { name: string; value: string; note?: string | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {value}
        {note !== undefined && <small>{note}</small>}
      </dd>
    </div>
  );
}

function Recent({ project, documents }: { project: string; documents: ResultOf<'status'>['recent'] }) {
  if (documents.length === 0) return null;
  return (
    <section class="recent">
      <h2>Changed last</h2>
      <ul>
        {documents.map(({ path, modified_at }) => (
          <li key={path}>
            <a href={linkTo(project, 'search', { in: path })}>{plainly(path)}</a>
            <span class="quiet">{ago(modified_at)}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Types({ types }: { types: Readonly<Record<string, number>> }) {
  const sorted = Object.entries(types).sort(([, a], [, b]) => b - a);
  const [, largest = 1] = sorted[0] ?? [];
  return (
    <section>
      <h2>Documents by type</h2>
      <table class="types">
        <tbody>
          {sorted.map(([type, count]) => (
            <tr key={type}>
              <th scope="row">{type}</th>
              <td>
                <span class="bar-track" aria-hidden="true">
                  <span class="bar-fill" style={{ width: `${(count / largest) * 100}%` }} />
                </span>
              </td>
              <td class="number">{counted(count)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
