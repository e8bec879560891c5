import { useState } from 'preact/hooks';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { plainly, sectionOf } from '../shell/words.ts';
import { Citation, Relevance } from './hit-row.tsx';
import { WasThisIt } from './judge.tsx';
import { type PaneState, PaneTools } from './pane-tools.tsx';
import { HitText } from './place-text.tsx';
import { ScoreBars } from './score-bars.tsx';
import { whyHere } from './why.ts';

/** Chunks shown before and after a hit at first, and where the reader wants more. */
const neighbours = { few: 1, many: 5 } as const;

/** The chosen hit in its file: the match in the middle, with its surroundings, further places, and why it is here. */
export function HitPane({
  project,
  hit,
  line,
  number,
  hits,
  marks,
  state,
  onState,
  onClose,
  isJudged,
}: {
  /** That of the hit. */
  project: string;
  /** Whether the reader may say that this was it. */
  isJudged: boolean;
  hit: SearchHit;
  /** The line of it that was clicked. */
  line: number | undefined;
  number: number;
  hits: readonly SearchHit[];
  marks: RegExp | undefined;
  state: PaneState;
  onState: (change: Partial<PaneState>) => void;
  onClose: () => void;
}) {
  const places = [hit, ...(hit.more ?? [])];
  const [shown, setShown] = useState(places.find((each) => holdsLine(each, line))?.chunk);
  const place = places.find(({ chunk }) => chunk === shown) ?? hit;
  return (
    <section class="pane" aria-label={`Hit ${number} in its file`}>
      <header>
        <button type="button" class="pane-close" onClick={onClose}>
          Back to the list
        </button>
        <h2>
          <Citation path={hit.path} citation={place.citation} />
          {place.section !== '' && !place.citation.includes(place.section) && (
            <span class="section">{sectionOf(place.section)}</span>
          )}
        </h2>
        <Relevance value={place.relevance} />
      </header>
      <PaneTools
        project={project}
        path={hit.path}
        citation={place.citation}
        lines={place.focus ?? place.lines}
        name={place.symbol?.name}
        text={place.text ?? ''}
        isCode={hit.symbol !== undefined || hit.type === 'code'}
        state={state}
        onState={onState}
      >
        <button
          type="button"
          title="m"
          aria-expanded={state.showsAround}
          onClick={() => onState({ showsAround: !state.showsAround })}
        >
          Around it
        </button>
        <button
          type="button"
          title="w"
          aria-expanded={state.showsWhy}
          onClick={() => onState({ showsWhy: !state.showsWhy })}
        >
          Why here
        </button>
      </PaneTools>
      {state.showsWhy && (
        <div class="part why">
          <ul>
            {whyHere(hit).map((reason) => (
              <li key={reason}>{plainly(reason)}</li>
            ))}
          </ul>
          <details>
            <summary>In numbers</summary>
            <p>
              The likelihood that it is what you look for: <b>{hit.relevance.toFixed(2)}</b>.
            </p>
            <ScoreBars hit={hit} hits={hits} />
          </details>
        </div>
      )}
      <HitText
        key={place.chunk}
        project={project}
        path={hit.path}
        place={place}
        line={holdsLine(place, line) ? line : undefined}
        marks={marks}
        count={state.showsAround ? neighbours.many : neighbours.few}
      />
      {hit.more && hit.more.length > 0 && (
        <nav class="places" aria-label="Places in this file">
          {places.map((each) => (
            <button
              key={each.chunk}
              type="button"
              class="link"
              aria-current={each.chunk === place.chunk}
              onClick={() => setShown(each.chunk)}
            >
              {plainly(
                each.citation.startsWith(hit.path) ? each.citation.slice(hit.path.length + 1) : each.citation,
              )}
              {each.symbol && ` ${plainly(each.symbol.name)}`}
            </button>
          ))}
        </nav>
      )}
      {place.also_at && (
        <p class="quiet also">
          The same text: {plainly(place.also_at.map(({ citation }) => citation).join(', '))}
        </p>
      )}
      {isJudged && <WasThisIt project={project} path={hit.path} />}
    </section>
  );
}

/** Whether a line of the file is one of a place in it. */
function holdsLine({ lines }: Pick<SearchHit, 'lines'>, line: number | undefined): boolean {
  return line !== undefined && lines !== undefined && lines[0] <= line && line <= lines[1];
}
