import './status.css';
import { useRef, useState } from 'preact/hooks';
import type { IndexSummary } from '../../../src/core/index-summary.ts';
import { createRateMeter } from '../../../src/core/rate-meter.ts';
import { cancelJob, type JobState } from '../api/jobs.ts';
import { isLost } from '../api/session.ts';
import { Problem } from '../shell/problem.tsx';
import { Progress } from '../shell/progress.tsx';
import { ago, counted, duration, plural } from '../shell/words.ts';

/** The last run: how far it is, with the time left and a way to stop it, or what came of it. */
export function JobCard({
  job,
  isInSync = false,
  onChange,
}: {
  job: JobState;
  /** Whether the index has been equal to the files since the run began, with all vectors. */
  isInSync?: boolean;
  onChange: () => void;
}) {
  const meter = useRef(createRateMeter());
  const [isStopping, setStopping] = useState(false);
  const { progress } = job;
  if (job.state === 'running') {
    const speed = progress?.total === undefined ? {} : meter.current.reach(progress.done, progress.total);
    const left = [
      speed.rate !== undefined && `${counted(Math.round(speed.rate))} a second`,
      speed.secondsLeft !== undefined && `${duration(Math.max(1, speed.secondsLeft))} left`,
    ].filter((part) => part !== false);
    return (
      <section class="card job" aria-label="Indexing">
        <Progress
          progress={progress ?? { phase: 'scanning', text: 'Starting', done: 0, unit: '' }}
          left={left.length > 0 ? left.join(', ') : undefined}
        />
        <button
          type="button"
          disabled={isStopping || isLost.value}
          onClick={() => {
            setStopping(true);
            // What came of it shows in the state of the job, which is asked for next.
            cancelJob(job.id)
              .catch(() => undefined)
              .finally(() => {
                setStopping(false);
                onChange();
              });
          }}
        >
          {isStopping ? 'Stopping…' : 'Stop'}
        </button>
      </section>
    );
  }
  const ended = job.ended_at ? ago(job.ended_at) : '';
  // What it left undone has been done since: nobody has to know of it.
  if (job.state === 'cancelled' && isInSync) return null;
  return (
    <section class="card job" aria-label="Last run">
      {job.state === 'failed' && job.error && <Problem error={job.error} />}
      {job.state === 'cancelled' && <p>Stopped {ended}. What was done is kept; the next run continues.</p>}
      {job.state === 'done' && (
        <p role="status">
          Run ended {ended}
          {job.result === undefined ? '' : `: ${whatCameOf(job)}`}.
        </p>
      )}
    </section>
  );
}

/** Vectors that a run has made in a second; undefined where it made none. */
export function speedOf({ state, result }: JobState): number | undefined {
  if (state !== 'done' || result === undefined) return undefined;
  const { chunks, seconds } = (result as { summary: IndexSummary }).summary;
  const isMeasured = chunks.embedded > 0 && seconds.embedding > 0;
  return isMeasured ? chunks.embedded / seconds.embedding : undefined;
}

/** What a run that is done has read and made; empty where its result is too long for a list of runs. */
export function whatCameOf(job: JobState): string {
  if (job.result === undefined) return '';
  const { documents, chunks, seconds } = (job.result as { summary: IndexSummary }).summary;
  const rate = speedOf(job);
  const parts = [
    `${plural(documents.indexed, 'document')} read, ${counted(documents.unchanged)} unchanged`,
    documents.deleted > 0 ? `${counted(documents.deleted)} gone` : '',
    documents.failed > 0 ? `${counted(documents.failed)} failed` : '',
    rate !== undefined
      ? `${plural(chunks.embedded, 'vector')} made at ${counted(Math.round(rate))} a second`
      : '',
    `in ${duration(seconds.total)}`,
  ];
  return parts.filter(Boolean).join(', ');
}
