import { signal } from '@preact/signals';
import type { ErrorData } from '../../../src/core/errors.ts';
import type { Progress } from '../../../src/core/progress.ts';
import { asking } from './session.ts';

/** Work in the background of the server, as it tells of it. */
export interface JobState {
  readonly id: string;
  readonly project: string;
  readonly operation: string;
  readonly state: 'running' | 'done' | 'failed' | 'cancelled';
  readonly started_at: string;
  readonly ended_at?: string;
  readonly progress?: Progress;
  readonly result?: unknown;
  readonly error?: ErrorData;
}

/** The run that brings the index of the shown project up to date; undefined while there is none. */
export const runningIndex = signal<JobState | undefined>(undefined);

/** The jobs of a project, newest last: those of all tabs and callers. */
export async function jobsOf(project: string): Promise<JobState[]> {
  const { jobs } = (await asking((client) => client.request('GET', '/v1/jobs'))) as { jobs: JobState[] };
  return jobs.filter((job) => job.project === project);
}

/** The other tabs of this browser: they look at the jobs at once when one of them starts or stops one. */
const otherTabs = new BroadcastChannel('quarry.jobs');

/** Looks again whenever another tab has started or stopped a job; returns how to end that. */
export function whenOthersAct(look: () => void): () => void {
  otherTabs.addEventListener('message', look);
  return () => otherTabs.removeEventListener('message', look);
}

/** Starts indexing in the background. */
export async function startIndexing(project: string, full: boolean): Promise<JobState> {
  const path = `/v1/projects/${encodeURIComponent(project)}/index?background=yes`;
  const job = (await asking((client) => client.request('POST', path, { full }))) as JobState;
  otherTabs.postMessage(job.id);
  return job;
}

/** Asks a job to stop. */
export async function cancelJob(id: string): Promise<void> {
  await asking((client) => client.request('DELETE', `/v1/jobs/${encodeURIComponent(id)}`));
  otherTabs.postMessage(id);
}
