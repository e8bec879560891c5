import { useState } from 'preact/hooks';

/** Milliseconds that the button says it was done. */
const shownFor = 1200;

/** A button that copies a text. */
export function Copy({ text, name }: { text: string; name: string }) {
  const [done, setDone] = useState<'Copied' | 'Not allowed'>();
  const say = (what: 'Copied' | 'Not allowed') => {
    setDone(what);
    setTimeout(() => setDone(undefined), shownFor);
  };
  const copy = () => {
    // Over plain http from another machine a browser has no clipboard.
    if (!navigator.clipboard) return say('Not allowed');
    navigator.clipboard.writeText(text).then(
      () => say('Copied'),
      () => say('Not allowed'),
    );
  };
  return (
    <button type="button" onClick={copy}>
      <span aria-live="polite">{done ?? name}</span>
    </button>
  );
}
