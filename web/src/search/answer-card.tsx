import '../ask/ask.css';
import './answer-card.css';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { AnswerText } from '../ask/answer-text.tsx';
import { linkTo } from '../shell/route.ts';
import { answer, askThis, forgetAnswer } from './asking.ts';
import { openPlace } from './places.ts';
import { question } from './query-state.ts';
import { search } from './run-search.ts';
import { ownPlace } from './several.ts';

/** The answer to the query, above the hits; its citations open beside them. Of a long one the first lines: the hits stay in sight. */
export function AnswerCard({ project }: { project: string }) {
  const turn = answer.value;
  const card = useRef<HTMLElement>(null);
  const [isWhole, setWhole] = useState(false);
  const [isCut, setCut] = useState(false);
  const asked = turn?.question;
  useLayoutEffect(() => setWhole(false), [asked]);
  useLayoutEffect(() => {
    const shown = card.current;
    if (!shown) return;
    const isLonger = (each: Element): boolean =>
      each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1;
    const watch = new ResizeObserver(() => {
      if (shown.matches('.is-brief'))
        setCut([...shown.querySelectorAll('.answer, .sources li:not(:only-child)')].some(isLonger));
    });
    for (const each of [shown, ...shown.children]) watch.observe(each);
    return () => watch.disconnect();
  }, [turn]);
  if (!turn) return null;
  const isAnswered = turn.result !== undefined && turn.result.kind !== 'none';
  return (
    <section ref={card} class={isWhole ? 'answer-card' : 'answer-card is-brief'} aria-label="Answer">
      <AnswerText
        turn={turn}
        isBrief
        shown={search.value.result?.warnings ?? []}
        onOpen={({ citation, path, lines, words }) =>
          openPlace({
            ...ownPlace(project, citation),
            path: ownPlace(project, path).citation,
            lines,
            words: words ?? '',
          })
        }
        onAgain={() => askThis(project, question.value)}
      />
      <div class="actions">
        {(isCut || isWhole) && (
          <button type="button" class="link" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Less of it' : 'All of it'}
          </button>
        )}
        {isAnswered && (
          <a class="button" href={linkTo(project, 'ask', { question: turn.question })}>
            Ask further
          </a>
        )}
        <button type="button" class="link" onClick={forgetAnswer}>
          Hide
        </button>
      </div>
    </section>
  );
}
