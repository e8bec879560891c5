import type { Hono } from 'hono';
import type { WebSocket } from 'ws';
import { QuarryError } from '../../../core/errors.ts';
import type { QuarryEvent } from '../../../core/events.ts';
import type { Engine } from '../../../engine/engine.ts';
import { allowsJob } from '../../../engine/grants.ts';
import type { Job } from '../../../engine/jobs.ts';
import { acceptedFormat, answerWithFrames, framesOf, visibleError, type Work } from '../requests/answer.ts';
import { shownTo } from '../requests/hide-places.ts';
import {
  type RequestContext,
  type RequestOf,
  requireCredential,
  type Shown,
} from '../requests/request-context.ts';
import { answerWithSocket, talks } from '../web-sockets.ts';

/** Characters of a result that a list of jobs shows. */
const maxListedLength = 8 * 1024;

/** A job as data, for this caller: its state, how far it is, and what came of it. */
export function jobData(c: RequestOf, engine: Engine, job: Job): object {
  const { result } = job;
  const shown = shownOf(c, engine, job);
  return { ...jobState(c, engine, job), ...(result !== undefined && { result: shown(result) }) };
}

/** The same without a long result: those of all jobs together are megabytes, and take a second to write. */
function jobState(c: RequestOf, engine: Engine, job: Job): object {
  const { id, project, operation, state, startedAt, endedAt, error, progress } = job;
  const shown = shownOf(c, engine, job);
  return {
    id,
    project,
    operation,
    state,
    started_at: startedAt.toISOString(),
    ...(endedAt && { ended_at: endedAt.toISOString() }),
    ...(state === 'running' && progress && { progress: shown(progress) }),
    ...(error && { error: visibleError(c, error, shown) }),
  };
}

/** The project may be forgotten by now; the job knows where it was. */
function shownOf(c: RequestOf, engine: Engine, { project: id, folder }: Job): Shown {
  return shownTo(c, engine, { id, folder });
}

/** Background work: list, look at, follow, cancel. */
export function addJobRoutes(app: Hono<RequestContext>, engine: Engine): void {
  const { jobs } = engine;
  const find = (c: RequestOf, access: 'read' | 'write'): Job => {
    const job = jobs.get(c.req.param('job') ?? '');
    // A job of a project that the caller may not see does not exist for it.
    if (!job || !allowsJob(c.get('grant'), job, access)) throw jobUnknown(c.req.param('job') ?? '');
    return job;
  };
  app.get('/v1/jobs', (c) => {
    const visible = jobs.list().filter((job) => allowsJob(c.get('grant'), job, 'read'));
    return c.json({
      jobs: visible.map((job) =>
        (job.resultCharacters > maxListedLength ? jobState : jobData)(c, engine, job),
      ),
    });
  });
  app.get('/v1/jobs/:job', (c) => c.json(jobData(c, engine, find(c, 'read'))));
  const followJob = talks((c: RequestOf) => {
    const job = find(c, 'read');
    c.set('shown', shownOf(c, engine, job));
    if (c.env.upgrade) return answerWithSocket(c, (socket) => void follow(c, job, socket));
    const format =
      acceptedFormat(c.req.header('accept') ?? 'text/event-stream') ?? acceptedFormat('text/event-stream');
    if (!format) throw jobUnknown(job.id);
    return answerWithFrames(c, format, followed(job.id, c.req.raw.signal));
  });
  app.get('/v1/jobs/:job/events', followJob);
  app.delete('/v1/jobs/:job', (c) => {
    const job = find(c, 'write');
    jobs.cancel(job.id);
    return c.json(jobData(c, engine, job), 202);
  });

  /** Sends the frames of a job over a WebSocket, one a message; a caller with the right to do so says "cancel". */
  async function follow(c: RequestOf, job: Job, socket: WebSocket): Promise<void> {
    const left = new AbortController();
    socket.on('close', () => left.abort());
    socket.on('message', (data) => {
      const mayCancel = allowsJob(c.get('grant'), job, 'write');
      const refuse = (): void => socket.close(1008, 'Say "cancel", if you may, or nothing.');
      if (String(data) === 'cancel' && mayCancel)
        requireCredential(c).then(() => jobs.cancel(job.id), refuse);
      else refuse();
    });
    for await (const frame of framesOf(c, followed(job.id, left.signal))) {
      if (c.get('isBehind')()) return socket.terminate();
      await new Promise((resolve) => socket.send(JSON.stringify(frame), resolve));
    }
    socket.close(1000);
  }

  /** The events of a job, and at its end its result or failure. */
  async function* followed(id: string, signal: AbortSignal): Work {
    yield* jobs.follow(id, signal) as AsyncGenerator<QuarryEvent>;
    const job = jobs.get(id);
    if (job?.error) throw job.error;
    return job?.result;
  }
}

function jobUnknown(id: string): QuarryError {
  return new QuarryError('route-unknown', `There is no job "${id}".`, 'List the jobs: GET /v1/jobs.');
}
