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

/** Asks when the view opens, when what it depends on changes, and every so often while the page is looked at. */
export function useAnswer<Result>(
  ask: () => Promise<Result>,
  dependsOn: readonly unknown[],
  everyMilliseconds?: number,
): Answer<Result> {
  const [state, setState] = useState<Omit<Answer<Result>, 'again'>>({ result: undefined, error: undefined });
  const turn = useRef(0);
  const latest = useRef(ask);
  latest.current = ask;
  const again = useCallback(() => {
    turn.current += 1;
    const mine = turn.current;
    latest.current().then(
      (result) => mine === turn.current && setState({ result, error: undefined }),
      (thrown) => mine === turn.current && setState(({ result }) => ({ result, error: asError(thrown) })),
    );
  }, []);
  useEffect(() => {
    again();
    if (everyMilliseconds === undefined) return;
    const timer = setInterval(() => !document.hidden && again(), everyMilliseconds);
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
