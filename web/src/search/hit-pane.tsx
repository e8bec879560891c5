import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchHit } from '../../../src/operations/find/search.ts';
import { perform } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CodeText } from '../code/code-text.tsx';
import { editorLink } from '../code/editor.ts';
import { Copy } from '../shell/copy.tsx';
import { plainly, sectionOf } from '../shell/words.ts';
import { Citation, Relevance } from './hit-row.tsx';
import { ScoreBars } from './score-bars.tsx';

/** Chunks shown before and after a hit at first, and where the reader wants more. */
const neighbours = { few: 1, many: 5 } as const;
/** Milliseconds that a hit stays chosen before its surroundings are read: not each one that the reader passes. */
const readingPause = 150;

/** What the reader sees of the chosen hit. */
export interface PaneState {
  readonly showsWhy: boolean;
  readonly showsAround: boolean;
}

/** The chosen hit in its file: the match in the middle, with its surroundings, further places, and why it is here. */
export function HitPane({
  project,
  hit,
  number,
  hits,
  marks,
  state,
  onState,
  onClose,
}: {
  project: string;
  hit: SearchHit;
  number: number;
  hits: readonly SearchHit[];
  marks: RegExp | undefined;
  state: PaneState;
  onState: (change: Partial<PaneState>) => void;
  onClose: () => void;
}) {
  const [shown, setShown] = useState(hit.chunk);
  const place = hit.more?.find(({ chunk }) => chunk === shown) ?? hit;
  const editor = editorLink(project, hit.path, place.lines?.[0]);
  return (
    <section class="pane" aria-label={`Hit ${number} in its file`}>
      <header>
        <button type="button" class="pane-close" onClick={onClose}>
          Back to the list
        </button>
        <h2>
          <Citation path={hit.path} citation={place.citation} />
          {place.section !== '' && <span class="section">{sectionOf(place.section)}</span>}
        </h2>
        <Relevance value={place.relevance} />
      </header>
      <div class="pane-tools">
        <button
          type="button"
          title="n"
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
        <Copy text={place.text ?? ''} name="Copy" />
        <Copy text={place.citation} name="Copy place" />
        {editor !== undefined && (
          <a class="button" href={editor} title="In your editor (o)">
            Open
          </a>
        )}
      </div>
      {state.showsWhy && <ScoreBars hit={hit} hits={hits} />}
      <PaneText
        key={place.chunk}
        project={project}
        path={hit.path}
        place={place}
        marks={marks}
        count={state.showsAround ? neighbours.many : neighbours.few}
      />
      {hit.more && hit.more.length > 0 && (
        <nav class="places" aria-label="Places in this file">
          {[hit, ...hit.more].map((each) => (
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
    </section>
  );
}

function PaneText({
  project,
  path,
  place,
  marks,
  count,
}: {
  project: string;
  path: string;
  place: Pick<SearchHit, 'chunk' | 'text' | 'lines' | 'focus'>;
  marks: RegExp | undefined;
  count: number;
}) {
  const [isWaited, setWaited] = useState(false);
  useEffect(() => {
    const pause = setTimeout(() => setWaited(true), readingPause);
    return () => clearTimeout(pause);
  }, []);
  const { result } = useAnswer(
    async () =>
      isWaited
        ? perform(project, 'read', { path, chunk: place.chunk, neighbours: count, update: false })
        : undefined,
    [project, place.chunk, count, isWaited],
  );
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => centre(text.current), [result]);
  // Until its surroundings are there, and where they cannot be read, the hit itself is shown.
  const isAround = result !== undefined;
  return (
    <div ref={text} class="pane-text">
      <CodeText
        path={path}
        text={isAround ? result.text : (place.text ?? '')}
        firstLine={isAround ? result.lines?.[0] : place.lines?.[0]}
        marks={marks}
        lit={place.focus ?? place.lines}
      />
    </div>
  );
}

/** Scrolls the text, and not the page, so that what is lit is in its middle, or begins a little below its top. */
function centre(text: HTMLElement | null): void {
  const code = text?.querySelector<HTMLElement>('.code');
  const lines = [...(code?.querySelectorAll<HTMLElement>('.is-lit') ?? [])];
  const [first] = lines;
  const last = lines.at(-1);
  if (!code || !first || !last) return;
  const height = last.offsetTop + last.offsetHeight - first.offsetTop;
  const above = Math.max((code.clientHeight - height) / 2, code.clientHeight / 6);
  code.scrollTop = first.offsetTop - code.offsetTop - above;
}
