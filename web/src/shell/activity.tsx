import { useEffect, useState } from 'preact/hooks';
import type { Progress } from '../../../src/core/progress.ts';
import { jobsOf, runningIndex, whenOthersAct } from '../api/jobs.ts';
import { perform } from '../api/operations.ts';
import { listProjects } from '../api/projects.ts';
import { isLost } from '../api/session.ts';
import { linkTo } from './route.ts';
import { counted } from './words.ts';

/** Milliseconds between two looks at the work on the project. */
const looksEvery = { working: 700, resting: 3000 };
/** Of the looks at rest one of so many asks what the engine does by itself: for that all projects are listed. */
const listsEach = 5;

/** How far indexing is, in a view that says no more of it. */
export function Activity({ project }: { project: string }) {
  const [unasked, setUnasked] = useState<Progress>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isGone = false;
    let rests = 0;
    const look = async (): Promise<void> => {
      clearTimeout(timer);
      // A server that is gone, and a hidden page, are asked again by others and later.
      const jobs = isLost.value || document.hidden ? [] : await jobsOf(project).catch(() => []);
      if (isGone) return;
      const running = jobs.findLast(({ operation, state }) => operation === 'index' && state === 'running');
      runningIndex.value = running;
      const isUnasked = !running && !isLost.value && !document.hidden && rests % listsEach === 0;
      // What cannot be said now is asked for again.
      const progress = isUnasked ? await unaskedWork(project).catch(() => undefined) : undefined;
      if (isGone) return;
      setUnasked(progress);
      rests = progress ? 0 : rests + 1;
      timer = setTimeout(look, running ? looksEvery.working : looksEvery.resting);
    };
    void look();
    const leave = whenOthersAct(look);
    return () => {
      isGone = true;
      runningIndex.value = undefined;
      leave();
      clearTimeout(timer);
    };
  }, [project]);
  const job = runningIndex.value;
  const progress = job ? (job.progress ?? {}) : unasked;
  if (!progress) return null;
  const { text = 'Indexing', done = 0, total, unit = '' } = progress as Partial<Progress>;
  return (
    <aside aria-label="Work on this project">
      <a class="activity" href={linkTo(project, 'status')}>
        <span>{total === undefined ? text : `${text}: ${counted(done)} of ${counted(total)} ${unit}`}</span>
        <progress
          aria-label="Indexing"
          {...(total !== undefined && { value: done, max: Math.max(total, 1) })}
        />
      </a>
    </aside>
  );
}

/** How far the engine is that follows the changes of a folder by itself; undefined where it rests. */
async function unaskedWork(project: string): Promise<Progress | undefined> {
  const known = (await listProjects()).find(({ id }) => id === project);
  if (!known?.syncing) return undefined;
  const { chunks, pending } = await perform(project, 'status', { compare: false });
  return pending > 0
    ? { phase: 'embedding', text: 'Indexing', done: chunks - pending, total: chunks, unit: 'pieces of text' }
    : undefined;
}
