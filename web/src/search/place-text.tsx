import { useEffect, useRef, useState } from 'preact/hooks';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { CodeText } from '../code/code-text.tsx';
import { marksFor } from '../code/marks.ts';
import { findSentence } from '../code/sentence.ts';
import { AsKind } from '../kinds/as-kind.tsx';
import type { KindText } from '../kinds/kind-text.ts';
import { Problem } from '../shell/problem.tsx';
import type { OpenPlace } from './places.ts';

/** Milliseconds that a hit stays chosen before its surroundings are read: not each one that the reader passes. */
const readingPause = 150;
/** Milliseconds in which the colours and the look of a text come. */
const settlesIn = 1000;
/** Lines shown before and after a place that is named by its lines. */
const around = 12;
/** Tokens that are read of a place. */
const maxTokens = 20_000;

/** A hit with its surroundings; a definition that was cut is shown whole. */
export function HitText({
  project,
  path,
  place,
  line,
  marks,
  count,
}: {
  project: string;
  path: string;
  place: Pick<SearchHit, 'chunk' | 'text' | 'lines' | 'focus' | 'symbol' | 'place'>;
  /** The one line that is looked for; undefined for all that the hit is about. */
  line: number | undefined;
  marks: RegExp | undefined;
  /** Chunks to show before and after it. */
  count: number;
}) {
  const [isWaited, setWaited] = useState(false);
  useEffect(() => {
    const pause = setTimeout(() => setWaited(true), readingPause);
    return () => clearTimeout(pause);
  }, []);
  const { result } = useAnswer(
    async () => (isWaited ? readHit(project, path, place, count) : undefined),
    [project, place.chunk, count, isWaited],
  );
  const whole = result?.text ?? place.text ?? '';
  const ofHit = place.focus ?? place.lines ?? linesOf(place.text ?? '', whole);
  const lit = line === undefined ? ofHit : ([line, line] as const);
  // Until its surroundings are there, and where they cannot be read, the hit itself is shown.
  const shown = {
    path,
    text: whole,
    firstLine: result ? result.lines?.[0] : place.lines?.[0],
    marks,
    lit,
    ...partOf(place.place),
    ...(result?.place.kind === 'sheets' && partOf(result.place)),
  };
  return (
    <Centred shown={result}>
      <AsKind project={project} {...shown}>
        <CodeText {...shown} />
      </AsKind>
    </Centred>
  );
}

/** Where a text stands in a longer one that has no lines of a file: the lines of that, counted from 1. */
function linesOf(text: string, whole: string): readonly [number, number] | undefined {
  const at = text === '' || text === whole ? -1 : whole.indexOf(text);
  if (at < 0) return undefined;
  const first = whole.slice(0, at).split('\n').length;
  return [first, first + text.trimEnd().split('\n').length - 1];
}

/** First and last page of a place that has pages, and the sheet that one of a spreadsheet begins in. */
function partOf(place: SearchHit['place']): Pick<KindText, 'pages' | 'sheet'> {
  if (place.kind === 'pages') return { pages: [place.first, place.last] };
  return place.kind === 'sheets' ? { sheet: place.first.sheet } : {};
}

type Read = Pick<ResultOf<'read'>, 'text' | 'lines' | 'place'>;

async function readHit(
  project: string,
  path: string,
  { chunk, symbol, place }: Pick<SearchHit, 'chunk' | 'symbol' | 'place'>,
  wanted: number,
): Promise<Read> {
  // A message is whole by itself; those beside it in a mailbox are of others.
  const neighbours = place.kind === 'messages' && wanted === 1 ? 0 : wanted;
  const whole =
    symbol &&
    // Where the name means another thing, or several, the surroundings are shown.
    perform(project, 'read', { path, symbol: symbol.name, update: false }).catch(() => undefined);
  const surroundings = await perform(project, 'read', { path, chunk, neighbours, update: false });
  const definition = await whole;
  return definition && holds(definition, surroundings) ? definition : surroundings;
}

/** Whether one stretch of a file holds another. */
function holds({ lines: outer }: Read, { lines: inner }: Read): boolean {
  return outer !== undefined && inner !== undefined && outer[0] <= inner[0] && outer[1] >= inner[1];
}

/** A place in its file; of a citation the sentence that it stands for is marked. */
export function PlaceText({ project, place }: { project: string; place: OpenPlace }) {
  const { path, lines, citation, words } = place;
  const { result, error } = useAnswer(
    () =>
      perform(project, 'read', {
        ...(lines
          ? { path, lines: `${Math.max(1, lines[0] - around)}-${lines[1] + around}` }
          : { places: [citation] }),
        max_tokens: maxTokens,
        update: false,
      }),
    [project, citation],
  );
  if (error) return <Problem error={error} />;
  if (!result) return <p class="quiet part">Reading…</p>;
  const said = words === undefined ? undefined : findSentence(result.text, words);
  const shown = {
    path,
    text: result.text,
    firstLine: result.lines?.[0],
    lit: lines,
    ...partOf(result.place),
    marks: marksFor(words ?? '', ''),
  };
  return (
    <>
      <Centred shown={result}>
        <AsKind project={project} words={words} {...shown}>
          <CodeText {...shown} said={said} />
        </AsKind>
      </Centred>
      {result.is_cut && <p class="quiet part">The rest of it is too long to be shown here.</p>}
    </>
  );
}

function Centred({ shown, children }: { shown: unknown; children: preact.ComponentChildren }) {
  const text = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = () => centre(text.current);
    show();
    addEventListener('resize', show);
    const watch = new MutationObserver(show);
    if (text.current) watch.observe(text.current, { childList: true, subtree: true });
    // The reader scrolls from here on.
    const settled = setTimeout(() => watch.disconnect(), settlesIn);
    return () => {
      removeEventListener('resize', show);
      watch.disconnect();
      clearTimeout(settled);
    };
  }, [shown]);
  return (
    <div ref={text} class="pane-text">
      {children}
    </div>
  );
}

/** Scrolls the text, and not the page, so that what is marked or lit is in its middle, or begins a little below its top. */
function centre(text: HTMLElement | null): void {
  // What shows a kind is loaded after the text, and is put there then.
  const code = text?.querySelector<HTMLElement>('.code');
  const said = [...(code?.querySelectorAll<HTMLElement>('.said') ?? [])].flatMap(
    (mark) => mark.closest<HTMLElement>('.line, .block') ?? [],
  );
  const lines = said.length > 0 ? said : [...(code?.querySelectorAll<HTMLElement>('.is-lit') ?? [])];
  const [first] = lines;
  const last = lines.at(-1);
  if (!code || !first || !last) return;
  const height = last.offsetTop + last.offsetHeight - first.offsetTop;
  const above = Math.max((code.clientHeight - height) / 2, code.clientHeight / 6);
  code.scrollTop = first.offsetTop - code.offsetTop - above;
}
