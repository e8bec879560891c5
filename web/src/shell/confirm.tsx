import { useEffect, useRef, useState } from 'preact/hooks';
import { isLost } from '../api/session.ts';

/** Milliseconds after which a question that is not answered is taken back. */
const patience = 8000;

/** A button that asks before it acts; leaving it, or Escape, takes the question back. */
export function Confirm({
  name,
  short = name,
  sure,
  onConfirm,
}: {
  /** What it does, in full: for who hears the page. */
  name: string;
  /** What the button shows. */
  short?: string;
  /** The second button: what is done for good. */
  sure: string;
  onConfirm: () => void;
}) {
  const [isAsked, setAsked] = useState(false);
  const second = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    if (!isAsked) return;
    second.current?.focus();
    const timer = setTimeout(() => setAsked(false), patience);
    return () => clearTimeout(timer);
  }, [isAsked]);
  if (!isAsked)
    return (
      <button type="button" aria-label={name} disabled={isLost.value} onClick={() => setAsked(true)}>
        {short}
      </button>
    );
  return (
    <button
      ref={second}
      type="button"
      class="danger"
      aria-label={`${name}: ${sure}`}
      onBlur={() => setAsked(false)}
      onKeyDown={(event) => event.key === 'Escape' && setAsked(false)}
      onClick={(event) => {
        // A double click would ask and answer at once.
        if (event.detail > 1) return;
        setAsked(false);
        onConfirm();
      }}
    >
      {sure}
    </button>
  );
}
