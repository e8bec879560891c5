import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Entries that are drawn at once; more as the reader comes near the end. */
const page = 100;

/** A list that may have tens of thousands of entries. */
export function LongList<Entry>({
  entries,
  render,
}: {
  entries: readonly Entry[];
  render: (entry: Entry) => ComponentChildren;
}) {
  const [shown, setShown] = useState(page);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (seen) => seen.some(({ isIntersecting }) => isIntersecting) && setShown((count) => count + page),
      { rootMargin: '400px' },
    );
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, []);
  return (
    <>
      <ul class="long-list">
        {entries.slice(0, shown).map((entry, index) => (
          <li key={index}>{render(entry)}</li>
        ))}
      </ul>
      <div ref={end} class="list-end" />
    </>
  );
}
