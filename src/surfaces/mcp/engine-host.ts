import { errorCatalogue } from '../../core/error-catalogue.ts';
import { asQuarryError, errorFromData, errorToData, QuarryError } from '../../core/errors.ts';
import { eventToData } from '../../core/events.ts';
import { untilFirstIssue } from '../../core/failures/first-issue.ts';
import type { Engine } from '../../engine/engine.ts';
import { allowsJob, type Grant } from '../../engine/grants.ts';
import type { Operation } from '../../operations/operation.ts';
import { needsConfirmation, scopeOf } from '../../operations/permission.ts';
import { resultOf } from '../../platform/streams.ts';
import { shownElsewhere } from '../http/requests/hide-places.ts';
import { notAllowed, type Shown } from '../http/requests/request-context.ts';
import type { Host, OfferedProject } from './host.ts';

/** Who asks an engine, and what it answers with. */
export interface EngineHostParts {
  readonly engine: Engine;
  readonly operations: readonly Operation[];
  readonly grant: Grant;
  /** Called with what the caller sees only by its code. */
  log(failure: QuarryError): void;
}

/** Asks the engine of this process for a caller from the network: its own projects, and no paths or faults of the machine. */
export function createEngineHost({ engine, operations, grant, log }: EngineHostParts): Host {
  const checked = (project: OfferedProject, name: string, input: object) => {
    const operation = operations.find((each) => each.name === name);
    const scope = operation && scopeOf(operation);
    if (!operation || !scope || needsConfirmation(operation)) throw notOffered(name);
    for (const { id, name: shown } of project.members ?? [project])
      if (!grant.allows(scope, id)) throw notAllowed(grant.name, scope, shown);
    return { operation, input: operation.input.parse(input, untilFirstIssue) };
  };
  /** Undefined for a project that was forgotten meanwhile. */
  const shownOf = async ({ id, members = [] }: OfferedProject): Promise<Shown> => {
    const ids = members.length > 0 ? members.map((member) => member.id) : [id];
    // A project that was forgotten meanwhile is shown by nothing.
    return shownElsewhere(
      engine,
      ...(await Promise.all(ids.map((each) => engine.find(each).catch(() => undefined)))),
    );
  };
  const discreet = async <Result>(
    project: OfferedProject,
    work: (shown: Shown) => Promise<Result>,
  ): Promise<Result> => {
    const shown = await shownOf(project);
    try {
      return shown(await work(shown));
    } catch (thrown) {
      const error = asQuarryError(thrown);
      log(error);
      throw seenFromAfar(error, shown);
    }
  };
  return {
    projects: async () =>
      (await engine.projects())
        .filter(({ id }) => grant.allows('project:read', id))
        .map(({ id, name }) => ({ id, name })),
    call: (project, name, input, { signal, onEvent }) =>
      discreet(project, async (shown) => {
        const { operation, input: parsed } = checked(project, name, input);
        const work = project.members
          ? engine.performOn(await entriesOf(engine, project.members), operation, parsed, signal)
          : engine.perform(project.id, operation, parsed, signal);
        return resultOf(work, (event) => onEvent?.(shown(eventToData(event))));
      }),
    startJob: (project, name, input) =>
      discreet(project, async () => {
        const { operation, input: parsed } = checked(project, name, input);
        const { folder } = await engine.find(project.id);
        const caller = grant.credential?.id ?? grant.name;
        const what = { project: project.id, folder, operation: name, reach: operation.reach, caller };
        return engine.jobs.start(what, (signal) => engine.perform(project.id, operation, parsed, signal)).id;
      }),
    async job(id) {
      const job = engine.jobs.get(id);
      if (!job || !allowsJob(grant, job, 'read')) throw notOffered('job');
      const { state, progress, result, error } = job;
      const shown = shownElsewhere(engine, { id: job.project, folder: job.folder });
      return {
        state,
        progress: shown(progress),
        ...(result !== undefined && { result: shown(result) }),
        ...(error && { error: errorToData(seenFromAfar(error, shown)) }),
      };
    },
    async cancelJob(id) {
      const job = engine.jobs.get(id);
      if (!job || !allowsJob(grant, job, 'write')) throw notOffered('job');
      engine.jobs.cancel(id);
    },
    notes: () => [],
  };
}

async function entriesOf(engine: Engine, members: readonly OfferedProject[]) {
  return Promise.all(
    members.map(async ({ id, name, cited = name }) => ({ ...(await engine.find(id)), name: cited })),
  );
}

/** A fault of the server is named, but its paths and details are the business of its operator. */
function seenFromAfar(error: QuarryError, shown: Shown): QuarryError {
  const { blames, summary } = errorCatalogue[error.code];
  return blames === 'caller'
    ? errorFromData(shown(errorToData(error)))
    : new QuarryError(error.code, summary, 'Ask the operator of the server.');
}

function notOffered(name: string): QuarryError {
  return new QuarryError('route-unknown', `"${name}" is not offered.`, 'Use one of the listed tools.');
}
