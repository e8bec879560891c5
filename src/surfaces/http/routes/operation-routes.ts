import type { Hono } from 'hono';
import { asQuarryError, QuarryError } from '../../../core/errors.ts';
import type { Engine, KnownProject } from '../../../engine/engine.ts';
import { requireSeveral } from '../../../engine/project-address.ts';
import type { Operation } from '../../../operations/operation.ts';
import { needsConfirmation, scopeOf } from '../../../operations/permission.ts';
import { resultOf } from '../../../platform/streams.ts';
import { projectIn, projectsIn } from '../requests/addressed-projects.ts';
import { acceptedFormat, answerWithFrames } from '../requests/answer.ts';
import { shownTo } from '../requests/hide-places.ts';
import { checkedInput, type InputBounds, readInput } from '../requests/read-input.ts';
import {
  type RequestContext,
  type RequestOf,
  requireReader,
  requireScope,
} from '../requests/request-context.ts';
import { jobData } from './job-routes.ts';

/** The path of an operation below a project: `cache stats` is `cache/stats`. */
export function pathOfOperation({ name }: Pick<Operation, 'name'>): string {
  return name.replaceAll(' ', '/');
}

/** The operations that are offered to callers of a server. */
export function offeredOperations(operations: readonly Operation[]): Operation[] {
  return operations.filter((operation) => scopeOf(operation) !== undefined);
}

/** `POST /v1/projects/{id}/{operation}` for every operation that is offered. */
export function addOperationRoutes(
  app: Hono<RequestContext>,
  engine: Engine,
  operations: readonly Operation[],
): void {
  for (const operation of offeredOperations(operations)) {
    app.post(`/v1/projects/:project/${pathOfOperation(operation)}`, async (c) => {
      const project = c.req.param('project');
      // Nothing is read from a caller that may not ask.
      await requireAllowed(c, engine, operation, project);
      return performOperation(c, engine, operation, project, await readInput(c, boundsOf(operation)));
    });
  }
}

/** How large the input of an operation may be. */
export function boundsOf({ maxInputSize }: Operation): Partial<InputBounds> {
  return maxInputSize === undefined ? {} : { bytes: maxInputSize };
}

/** Checks the caller and the input, performs the operation and answers in the form that the caller accepts. */
export async function performOperation(
  c: RequestOf,
  engine: Engine,
  operation: Operation,
  project: string,
  body: unknown,
): Promise<Response> {
  if (c.req.query('background') === 'yes') return startJob(c, engine, operation, project, body);
  const { asked, input } = await checked(c, engine, operation, project, body);
  const perform = (signal: AbortSignal) =>
    'id' in asked
      ? engine.perform(asked.id, operation, input, signal)
      : engine.performOn(asked, operation, input, signal);
  const shown = shownTo(c, engine, ...('id' in asked ? [asked] : asked));
  c.set('shown', shown);
  const exitCode = (result: unknown): number => operation.exitCode?.(result) ?? 0;
  const format = acceptedFormat(c.req.header('accept'));
  if (format) return answerWithFrames(c, format, perform(c.req.raw.signal), exitCode);
  const result = await withinTime(c, (signal) => resultOf(perform(signal)));
  // Asked again, since many may have been performed side by side; what was written is reported in any case.
  if (operation.effect === 'reads') requireReader(c);
  return c.json(shown(result) as object, 200, { 'quarry-exit-code': String(exitCode(result)) });
}

/** Stops work that takes too long for a caller that hears nothing meanwhile. */
async function withinTime<Result>(
  c: RequestOf,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const late = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    late.abort();
  }, c.get('answersWithin'));
  try {
    return await work(AbortSignal.any([c.req.raw.signal, late.signal]));
  } catch (thrown) {
    throw isLate && asQuarryError(thrown).code === 'interrupted' ? tookTooLong() : thrown;
  } finally {
    clearTimeout(timer);
    // A signal that nobody aborts is kept for as long as anyone listens to it, with all that the listener holds.
    late.abort();
  }
}

/** Checks the caller and the input, and answers with the job that performs the operation. */
export async function startJob(
  c: RequestOf,
  engine: Engine,
  operation: Operation,
  project: string,
  body: unknown,
): Promise<Response> {
  const { asked: entry, input } = await checked(c, engine, operation, project, body);
  if (!('id' in entry))
    throw new QuarryError(
      'usage-invalid',
      'A job works with one project.',
      'Name one, or ask without a job.',
    );
  const { credential, isOwner } = c.get('grant');
  const what = {
    project: entry.id,
    folder: entry.folder,
    operation: operation.name,
    reach: operation.reach,
    ...(!isOwner && { caller: credential?.id ?? c.get('grant').name }),
  };
  const job = engine.jobs.start(what, (signal) => engine.perform(entry.id, operation, input, signal));
  return c.json(jobData(c, engine, job), 202, { location: `/v1/jobs/${job.id}` });
}

/** The project or projects and the input, after the caller was found to be allowed this. */
async function checked(c: RequestOf, engine: Engine, operation: Operation, project: string, body: unknown) {
  const asked = await requireAllowed(c, engine, operation, project);
  if (needsConfirmation(operation) && c.req.query('confirm') !== 'yes') throw unconfirmed(operation);
  const input = checkedInput(operation.input, body, `See ${operation.name} in /openapi.json.`);
  return { asked, input };
}

async function requireAllowed(
  c: RequestOf,
  engine: Engine,
  operation: Operation,
  address: string,
): Promise<KnownProject | readonly KnownProject[]> {
  const scope = scopeOf(operation);
  if (!scope)
    throw new QuarryError('route-unknown', `"${operation.name}" is not offered.`, 'See /openapi.json.');
  const several = await projectsIn(engine, c.get('grant'), address);
  if (several) return requireSeveral(operation, several);
  // What is not about one project may be refused before it is looked for.
  if (!scope.startsWith('project:')) requireScope(c, scope, address);
  return projectIn(c, engine, scope, address);
}

function tookTooLong(): QuarryError {
  return new QuarryError(
    'request-too-long',
    'The work was stopped, since it took too long for one answer.',
    'Ask for a stream (Accept: application/x-ndjson) or a job (?background=yes).',
  );
}

function unconfirmed({ name }: Operation): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `"${name}" removes what does not come back by itself.`,
    'Confirm it: add ?confirm=yes to the address.',
  );
}
