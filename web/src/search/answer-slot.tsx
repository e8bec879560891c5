import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { answer } from './asking.ts';

/** Where the answer to a question is shown; what shows it is loaded with the first one. */
export function AnswerSlot({ project }: { project: string }) {
  const [loaded, setLoaded] = useState<{ Card: ComponentType<{ project: string }> }>();
  const isWanted = answer.value !== undefined;
  useEffect(() => {
    if (!isWanted || loaded) return;
    // What cannot be loaded is missing because the server is gone, which the page says.
    import('./answer-card.tsx').then(
      ({ AnswerCard }) => setLoaded({ Card: AnswerCard }),
      () => undefined,
    );
  }, [isWanted]);
  return isWanted && loaded ? <loaded.Card project={project} /> : null;
}
