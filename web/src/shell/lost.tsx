import { useEffect } from 'preact/hooks';
import { loadProjects } from '../api/projects.ts';

/** Milliseconds between two looks for a server that does not answer. */
const looksEvery = 2000;

/** Says that the server does not answer, and looks for it until it does. */
export function Lost({ onFound }: { onFound: () => void }) {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let wasGone = false;
    const look = () => {
      // That it does not answer is what is shown already.
      loadProjects().catch(() => {
        wasGone = true;
        timer = setTimeout(look, looksEvery);
      });
    };
    look();
    return () => {
      clearTimeout(timer);
      // Whichever request has found it. One answer that was cut off is no reason to begin again.
      if (wasGone) onFound();
    };
  }, []);
  return (
    <p class="lost" role="alert">
      The engine does not answer. The page continues by itself when it is back. Where it has ended,{' '}
      <code>quarry ui</code> starts it and opens the page again.
    </p>
  );
}
