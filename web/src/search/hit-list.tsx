import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../api/operations.ts';
import { marksFor } from '../code/marks.ts';
import { isTyping } from '../shell/keys.ts';
import { HitCard } from './hit-card.tsx';
import { question } from './query-state.ts';

/** Hits that are drawn at once; more as the reader comes near the end. */
const page = 25;

/** The hits, best first. Arrow keys, or j and k, go from one to the next. */
export function HitList({ project, result }: { project: string; result: ResultOf<'search'> }) {
  const [shown, setShown] = useState(page);
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => setShown(page), [result]);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setShown((count) => count + page),
      { rootMargin: '600px' },
    );
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, []);
  const marks = marksFor(result.query, question.value.route);
  return (
    <>
      <ol class="hits" onKeyDown={moveAmongHits}>
        {result.hits.slice(0, shown).map((hit, index) => (
          <li key={`${hit.path} ${hit.chunk}`}>
            <HitCard project={project} hit={hit} number={index + 1} hits={result.hits} marks={marks} />
          </li>
        ))}
      </ol>
      <div ref={end} class="list-end" />
    </>
  );
}

function moveAmongHits(event: KeyboardEvent): void {
  if (isTyping(event) || event.ctrlKey || event.metaKey || event.altKey) return;
  const hit = (event.target as Element).closest<HTMLElement>('.hit');
  if (event.key === 'Escape') document.querySelector<HTMLInputElement>('[data-keys="query"]')?.focus();
  const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
  if (!hit || step === undefined) return;
  const hits = [...document.querySelectorAll<HTMLElement>('.hit')];
  const next = hits[hits.indexOf(hit) + step];
  if (next) next.focus();
  else if (step < 0) document.querySelector<HTMLInputElement>('[data-keys="query"]')?.focus();
  next?.scrollIntoView({ block: 'nearest' });
  event.preventDefault();
}
