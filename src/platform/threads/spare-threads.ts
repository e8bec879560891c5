import type { Thread } from './thread.ts';

/** Threads that are kept at most: what is worth the memory is the next project, not a row of them. */
const maxSpare = 2;
const maxSpareMilliseconds = 5000;

// A thread takes any answer back to the caller who asked; its pools agree on what it is by `kind`.
type AnyThread = Thread<unknown, unknown>;
interface Spare {
  readonly kind: string;
  readonly thread: AnyThread;
  readonly expiry: NodeJS.Timeout;
}

const spares: Spare[] = [];

/** Keeps an idle thread for a few seconds: to start one takes a fifth of a second of computing, and another caller may need the same soon. */
export function keepSpare(kind: string, thread: AnyThread): void {
  const expiry = setTimeout(() => {
    spares.splice(spares.indexOf(spare), 1);
    void thread.end();
  }, maxSpareMilliseconds).unref();
  const spare = { kind, thread, expiry };
  spares.push(spare);
  if (spares.length <= maxSpare) return;
  const oldest = spares.shift();
  clearTimeout(oldest?.expiry);
  void oldest?.thread.end();
}

/** Takes a thread of this kind that another caller has left. */
export function takeSpare(kind: string): AnyThread | undefined {
  const at = spares.findLastIndex((spare) => spare.kind === kind);
  if (at < 0) return undefined;
  const [spare] = spares.splice(at, 1);
  clearTimeout(spare?.expiry);
  return spare?.thread;
}
