import type { IndexSummary } from '../../../src/core/index-summary.ts';
import type { JobState } from '../api/jobs.ts';
import { ago, counted, plainly } from '../shell/words.ts';
import { whatCameOf } from './job-card.tsx';

/** Runs that are listed. */
const shownRuns = 6;

/** The runs that somebody has started since the engine began, newest first, each with what came of it. */
export function EarlierRuns({ jobs }: { jobs: readonly JobState[] }) {
  const ended = jobs.filter(({ ended_at }) => ended_at !== undefined);
  // The last one alone is said above.
  if (ended.length < 2) return null;
  return (
    <section class="runs">
      <h2>Runs since Quarry started</h2>
      <ul>
        {ended
          .slice(-shownRuns)
          .reverse()
          .map((job) => (
            <li key={job.id}>
              <span>{outcomeOf(job)}</span>
              <span class="quiet">
                {totalOf(job)} {ago(job.ended_at ?? '')}
              </span>
            </li>
          ))}
      </ul>
    </section>
  );
}

function outcomeOf(job: JobState): string {
  if (job.state === 'cancelled') return 'stopped';
  if (job.state === 'failed') return plainly(job.error?.message ?? 'failed');
  return whatCameOf(job) || 'done';
}

/** How much there was after the run, which shows how the index has grown. */
function totalOf({ state, result }: JobState): string {
  if (state !== 'done' || result === undefined) return '';
  const { chunks } = (result as { summary: IndexSummary }).summary;
  return `${counted(chunks.total)} chunks,`;
}
