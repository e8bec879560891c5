import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { QuarryError } from '../../../src/client/index.ts';
import { asError } from './session.ts';

/** What is known of an answer. */
export interface Answer<Result> {
  readonly result: Result | undefined;
  readonly error: QuarryError | undefined;
  /** Asks again; what is shown stays until the answer is there. */
  readonly again: () => void;
}

type Known<Result> = Omit<Answer<Result>, 'again'>;

/** Asks when the view opens, when what it depends on changes, and every so often while the page is looked at. */
export function useAnswer<Result>(
  ask: () => Promise<Result>,
  dependsOn: readonly unknown[],
  everyMilliseconds?: number,
): Answer<Result> {
  const [state, setState] = useState<Known<Result>>({ result: undefined, error: undefined });
  const turn = useRef(0);
  const answered = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const again = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    const settle = (next: (previous: Known<Result>) => Known<Result>) => {
      if (mine !== turn.current) return;
      answered.current = mine;
      setState(next);
    };
    latest.current().then(
      (result) => settle(() => ({ result, error: undefined })),
      (thrown) => settle(({ result }) => ({ result, error: asError(thrown) })),
    );
  }, []);
  useEffect(() => {
    again();
    if (everyMilliseconds === undefined) return;
    const timer = setInterval(() => {
      // Over a slow network an answer may take longer than the pause: it is waited for, and not asked for again.
      if (!document.hidden && answered.current === turn.current) again();
    }, everyMilliseconds);
    document.addEventListener('visibilitychange', again);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', again);
    };
  }, [...dependsOn, everyMilliseconds]);
  useEffect(
    () => () => {
      // What comes after the view is gone is nobody's.
      turn.current += 1;
    },
    [],
  );
  return { ...state, again };
}
