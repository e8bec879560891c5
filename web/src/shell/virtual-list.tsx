import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';

/** Entries that are drawn above and below those in sight. */
const spare = 12;

/** A list of rows of one height, of which only those in sight are drawn: a hundred thousand cost no more than fifty. */
export function VirtualList<Entry>({
  entries,
  rowHeight,
  render,
}: {
  entries: readonly Entry[];
  /** In pixels. */
  rowHeight: number;
  render: (entry: Entry) => ComponentChildren;
}) {
  const list = useRef<HTMLUListElement>(null);
  const [first, setFirst] = useState(0);
  const [count, setCount] = useState(2 * spare);
  useEffect(() => {
    const look = () => {
      const top = list.current?.getBoundingClientRect().top ?? 0;
      // In steps, so that not every pixel draws again.
      const above = Math.floor(-top / rowHeight / spare) * spare - spare;
      setFirst(Math.max(0, Math.min(above, entries.length - 1)));
      setCount(Math.ceil(innerHeight / rowHeight) + 3 * spare);
    };
    look();
    addEventListener('scroll', look, { passive: true });
    addEventListener('resize', look);
    return () => {
      removeEventListener('scroll', look);
      removeEventListener('resize', look);
    };
  }, [entries, rowHeight]);
  return (
    <ul ref={list} class="virtual-list" style={{ height: `${entries.length * rowHeight}px` }}>
      {entries.slice(first, first + count).map((entry, index) => (
        <li
          key={first + index}
          aria-setsize={entries.length}
          aria-posinset={first + index + 1}
          style={{ top: `${(first + index) * rowHeight}px`, height: `${rowHeight}px` }}
        >
          {render(entry)}
        </li>
      ))}
    </ul>
  );
}
