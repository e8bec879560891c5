import { useEffect, useRef, useState } from 'preact/hooks';
import type { ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { counted, plainly } from '../shell/words.ts';
import { facetsOf, maxValues } from './facets.ts';
import { begunIn } from './narrowing.ts';
import { askFor, question, typed } from './query-state.ts';
import { searchFor } from './several.ts';

/** Hits that are counted: those that a reader may come to. */
const countedHits = 100;

/** What the hits can be narrowed down by, each with how many there are: in one line, and all of it where the reader wants more. */
export function FacetBar({ project, result }: { project: string; result: ResultOf<'search'> }) {
  const asked = question.value;
  const { result: wide } = useAnswer(async () => {
    const counting = { full: false, explain: false, brief: true, top_k: countedHits, update: false };
    const { hits } = result.hits.length < 2 ? result : await searchFor(project, asked, counting);
    return { hits, of: result };
  }, [project, result]);
  const [isOpen, setOpen] = useState(false);
  const [isTooLong, setTooLong] = useState(false);
  const line = useRef<HTMLDivElement>(null);
  const begun = begunIn(typed.value.query);
  const facets = (wide ? facetsOf(wide.hits) : []).filter(
    ({ filter }) => (asked[filter] === '' || asked[filter] === '*') && (begun ?? filter) === filter,
  );
  const isCut = facets.some(({ values }) => values.length > maxValues);
  useEffect(() => {
    const shown = line.current;
    if (!shown) return;
    const watch = new ResizeObserver(() => {
      if (!shown.matches('.is-open')) setTooLong(shown.scrollHeight > shown.clientHeight);
    });
    for (const each of [shown, ...shown.children]) watch.observe(each);
    return () => watch.disconnect();
  }, [wide]);
  return (
    <>
      <div ref={line} class={isOpen ? 'facets is-open' : 'facets'} aria-busy={wide?.of !== result}>
        {facets.map(({ filter, name, values }) => (
          <fieldset key={filter} class="facet">
            <legend class="unseen">{name}</legend>
            {values.slice(0, isOpen ? undefined : maxValues).map((each, at) => {
              const button = (
                <button
                  key={each.value}
                  type="button"
                  aria-label={`${name} ${plainly(each.name)}: ${each.count}`}
                  onClick={() => askFor({ [filter]: each.value })}
                >
                  {plainly(each.name)} <span class="quiet">{counted(each.count)}</span>
                </button>
              );
              if (at > 0) return button;
              return (
                <span key={each.value} class="facet-start">
                  <span class="facet-name" aria-hidden="true">
                    {name}
                  </span>
                  {button}
                </span>
              );
            })}
          </fieldset>
        ))}
      </div>
      {(isTooLong || isCut) && (
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Less' : 'More'}
        </button>
      )}
    </>
  );
}
