import type { Project } from '../calls/project.ts';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
import { unlessAborted } from '../platform/abort.ts';
import { mapConcurrently } from '../platform/map-concurrently.ts';

/** One of several projects that are asked together. */
export interface Member {
  /** Stands before the paths of its documents. */
  readonly name: string;
  readonly folder: string;
  /** Opens the project if need be, and keeps it open until the work has ended. */
  use<Result>(work: (project: Project) => Promise<Result>): Promise<Result>;
}

/** What each member answered, and why the others did not. */
export interface Answers<Result> {
  readonly given: readonly { readonly member: Member; readonly result: Result }[];
  readonly failures: readonly { readonly member: Member; readonly error: QuarryError }[];
}

/** Members that are asked at once: a few that hang must not keep the others waiting. */
const askedAtOnce = 16;

/**
 * Asks every member, each for no longer than all may wait; one that fails or hangs costs its answer. Fails where the caller
 * stops it.
 */
export async function askEach<Result>(
  members: readonly Member[],
  patience: number,
  signal: AbortSignal | undefined,
  ask: (project: Project, signal: AbortSignal) => Promise<Result>,
): Promise<Answers<Result>> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), patience);
  const stop = signal ? AbortSignal.any([signal, late.signal]) : late.signal;
  const given: { member: Member; result: Result }[] = [];
  const failures: { member: Member; error: QuarryError }[] = [];
  const one = async (member: Member): Promise<void> => {
    try {
      // Opening may hang as well, and hears no signal.
      const result = await unlessAborted(() => member.use((project) => ask(project, stop)), stop);
      given.push({ member, result });
    } catch (thrown) {
      const error = asQuarryError(thrown);
      const isLate = error.code === 'interrupted' && late.signal.aborted;
      failures.push({ member, error: isLate ? tookTooLong(patience) : error });
    }
  };
  try {
    for await (const _ of mapConcurrently(members, askedAtOnce, one)) if (signal?.aborted) break;
  } finally {
    clearTimeout(timer);
  }
  if (signal?.aborted) throw interrupted(signal.reason);
  const byOrder = <Each extends { readonly member: Member }>(each: readonly Each[]): Each[] =>
    members.flatMap((member) => each.filter((answer) => answer.member === member));
  return { given: byOrder(given), failures: byOrder(failures) };
}

/** A warning or failure of one project, as it is said of several. */
export function namedAfter({ name, folder }: Member, error: QuarryError): QuarryError {
  const remedy = error.remedy.replace(/\.$/, '');
  return new QuarryError(error.code, `${name}: ${error.message}`, `${remedy} (in ${folder}).`, {
    cause: error,
    retryAfter: error.retryAfter,
  });
}

function tookTooLong(patience: number): QuarryError {
  return new QuarryError(
    'request-too-long',
    `No answer within ${patience / 1000} seconds: its hits are missing.`,
    'Ask it alone, or bring its index up to date first: quarry index',
  );
}
