import './hits.css';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { verdictOf } from '../../../src/core/reader-notes.ts';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { noteQuietly, notes } from '../api/notes.ts';
import type { ResultOf } from '../api/operations.ts';
import { editorLink } from '../code/editor.ts';
import { marksFor } from '../code/marks.ts';
import { isTyping } from '../shell/keys.ts';
import { counted, plural } from '../shell/words.ts';
import { AnswerSlot } from './answer-slot.tsx';
import { askThis } from './asking.ts';
import { useFresh } from './fresh.ts';
import { HitPane } from './hit-pane.tsx';
import { HitRow } from './hit-row.tsx';
import { answeredQuery, judge } from './judge.tsx';
import type { PaneState } from './pane-tools.tsx';
import { PlacePane } from './place-pane.tsx';
import { type OpenPlace, placeOf, trail, trailFor } from './places.ts';
import { askFor, nameHit, openedHit, question } from './query-state.ts';
import { keptForm } from './questions.ts';
import { search } from './run-search.ts';
import { settle } from './settle.ts';
import { citedAs, ownPlace, projectNamed } from './several.ts';
import { byThread, type Fold } from './threads.ts';
import { weakHits } from './weak-hits.ts';

/** Hits that are drawn at once; more as the reader comes near the end. */
const page = 25;
/** The most hits that a search gives. */
const maxHits = 1000;
/** Milliseconds that a hit is chosen by keys until it counts as looked at. */
const staysFor = 1000;

/** A hit that the reader has chosen, and the question that stood then: its answer may have been on its way. */
interface Choice {
  readonly hit: SearchHit;
  readonly isOpened: boolean;
  readonly asked: string;
}

/** The hits, best first, beside the chosen one in its file. Arrow keys, or j and k, go from one to the next. */
export function HitList({ project, result }: { project: string; result: ResultOf<'search'> }) {
  const [shown, setShown] = useState(page);
  const [chosen, setChosen] = useState(0);
  const [line, setLine] = useState<number>();
  const [isOpen, setOpen] = useState(false);
  const [showsWeak, setShowsWeak] = useState(false);
  const { hits: all, folds } = useMemo(() => byThread(result.hits), [result]);
  const [unfolded, setUnfolded] = useState<ReadonlySet<string>>(new Set());
  const [state, setState] = useState<PaneState>({ showsWhy: false, showsAround: false });
  const end = useRef<HTMLDivElement>(null);
  const choice = useRef<Choice | undefined>(undefined);
  useEffect(() => {
    const asked = search.value.asked ?? question.value;
    const held = choice.current?.asked === keptForm(asked) ? choice.current : undefined;
    const opened = held?.isOpened ? citedAs(held.hit) : undefined;
    const named = held ? opened : openedHit.value;
    const at = indexOf(all, named, held?.hit);
    const chosenHit = all[at];
    setShown(Math.max(page, at + 1));
    setChosen(Math.max(at, 0));
    if (!held) setLine(undefined);
    setOpen(chosenHit !== undefined && named !== undefined);
    const holding = folds.filter((fold) => chosenHit && fold.hits.includes(chosenHit));
    setUnfolded((before) => new Set([...before, ...holding.map(({ after }) => after.chunk)]));
    setShowsWeak(at >= all.length - weakHits(all, folds));
    const went = trailFor(asked);
    // What the link leads to, or the reader has opened, may have moved out of the hits since: it is shown all the same.
    const isElsewhere = named !== undefined && !chosenHit && went.length === 0;
    trail.value = isElsewhere ? [namedPlace(project, named)] : went;
    if (held && chosenHit) lookAt(chosenHit, held.isOpened ? 0 : staysFor);
  }, [result]);
  useEffect(() => {
    const watch = new IntersectionObserver(
      (entries) => entries.some(({ isIntersecting }) => isIntersecting) && setShown((count) => count + page),
      { rootMargin: '600px' },
    );
    if (end.current) watch.observe(end.current);
    return () => watch.disconnect();
  }, []);
  /** A hit of several projects says which one it is of. */
  const projectOf = (each: SearchHit): string =>
    each.project === undefined ? project : projectNamed(each.project);
  const marks = marksFor(result.query, question.value.route);
  const weak = weakHits(all, folds);
  const hits = showsWeak ? all : all.slice(0, all.length - weak);
  const hit = hits[Math.min(chosen, hits.length - 1)];
  const isFolded = ({ after }: Fold): boolean => !unfolded.has(after.chunk);
  const hidden = new Set(folds.filter(isFolded).flatMap((fold) => fold.hits));
  const look = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(look.current), [result]);
  /** The reader looks at a hit: it is remembered when they stay with it. */
  const lookAt = (seen: SearchHit, after: number): void => {
    clearTimeout(look.current);
    look.current = setTimeout(() => {
      // The hits of a question that is no longer the one that stands.
      if (search.value.result !== result || search.value.isRunning) return;
      settle(project);
      nameHit(citedAs(seen));
      noteQuietly(project, { opened: seen.chunk });
    }, after);
  };
  const change = (next: Partial<PaneState>) => setState((before) => ({ ...before, ...next }));
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || isTyping(event) || event.ctrlKey || event.metaKey || !hit)
      return;
    const editor = editorLink(projectOf(hit), hit.path, hit.lines?.[0]);
    const act = {
      Enter: () => {
        lookAt(hit, 0);
        setOpen(true);
        document.querySelector<HTMLElement>('.pane .code')?.focus();
      },
      w: () => change({ showsWhy: !state.showsWhy }),
      i: () => change({ part: state.part === 'outline' ? undefined : 'outline' }),
      r: () => change({ part: state.part === 'connections' ? undefined : 'connections' }),
      l: () => change({ part: state.part === 'commits' ? undefined : 'commits' }),
      a: () => askThis(project, question.value),
      m: () => change({ showsAround: !state.showsAround }),
      // A verdict is one of the questions of the project that is shown.
      y: () => projectOf(hit) === project && judge(project, hit.path, 'yes'),
      n: () => projectOf(hit) === project && judge(project, hit.path, 'no'),
      // Where a browser does not allow it, its button says so.
      c: () => navigator.clipboard?.writeText(hit.text ?? '').catch(() => undefined),
      o: () => editor !== undefined && location.assign(editor),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  };
  const wanted = Number(question.value.top) || 10;
  const place = trail.value.at(-1);
  const opened = new Set(notes.value.opened);
  const fresh = useFresh(project, result);
  const asked = answeredQuery();
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the text lead back to the list.
    <div class={isOpen || place ? 'found is-open' : 'found'} onKeyDown={backToList}>
      <div class="found-list">
        <AnswerSlot project={project} />
        <ol class="hits" onKeyDown={moveAmongHits}>
          {hits.slice(0, shown).map((each, index) => {
            if (hidden.has(each)) return null;
            const fold = folds.find(({ after }) => after === each);
            return (
              <li key={`${each.project} ${each.path} ${each.chunk}`}>
                <HitRow
                  hit={each}
                  number={index + 1}
                  marks={marks}
                  isChosen={each === hit}
                  isOpened={opened.has(each.chunk)}
                  isNew={fresh.has(each.chunk)}
                  verdict={verdictOf(notes.value, asked, each.path)}
                  onChoose={(isOpened, clicked) => {
                    setChosen(index);
                    setLine(clicked);
                    choice.current = { hit: each, isOpened, asked: keptForm(question.value) };
                    trail.value = [];
                    lookAt(each, isOpened ? 0 : staysFor);
                    if (isOpened) setOpen(true);
                  }}
                  onKey={onKey}
                />
                {fold && isFolded(fold) && (
                  <button
                    type="button"
                    class="link thread-switch"
                    onClick={({ currentTarget }) => {
                      const { parentElement } = currentTarget;
                      setUnfolded(new Set([...unfolded, each.chunk]));
                      // The button is gone then: the reader goes on with the first of them.
                      requestAnimationFrame(() =>
                        parentElement?.nextElementSibling?.querySelector<HTMLElement>('.hit')?.focus(),
                      );
                    }}
                  >
                    {counted(fold.hits.length)} more of this thread
                  </button>
                )}
              </li>
            );
          })}
        </ol>
        {weak > 0 && (
          <button
            type="button"
            class="link weak-switch"
            aria-expanded={showsWeak}
            onClick={() => setShowsWeak(!showsWeak)}
          >
            {showsWeak ? 'Hide weak matches' : plural(weak, 'weak match', 'weak matches')}
          </button>
        )}
        {result.hits.length === wanted && wanted < maxHits && (
          <button
            type="button"
            class="link more-hits"
            onClick={() => askFor({ top: String(Math.min(wanted * 5, maxHits)) })}
          >
            Show more
          </button>
        )}
        <div ref={end} class="list-end" />
      </div>
      {place && <PlacePane place={place} state={state} onState={change} />}
      {hit && !place && (
        <HitPane
          key={`${hit.project} ${hit.chunk} ${line}`}
          line={line}
          project={projectOf(hit)}
          isJudged={projectOf(hit) === project}
          hit={hit}
          number={hits.indexOf(hit) + 1}
          hits={result.hits}
          marks={marks}
          state={state}
          onState={change}
          onClose={() => {
            setOpen(false);
            if (choice.current) choice.current = { ...choice.current, isOpened: false };
            nameHit(undefined);
            document.querySelector<HTMLElement>('.hit[aria-current="true"]')?.focus();
          }}
        />
      )}
    </div>
  );
}

/** The hit that is named, or else the one that was chosen, at another place of its file where it is found there now; -1 without one. */
function indexOf(
  hits: readonly SearchHit[],
  named: string | undefined,
  chosen: SearchHit | undefined,
): number {
  const isNamed = (hit: SearchHit) => citedAs(hit) === named;
  const isSame = (hit: SearchHit) => hit.chunk === chosen?.chunk;
  const isOfFile = (hit: SearchHit) => hit.path === chosen?.path && hit.project === chosen?.project;
  for (const fits of [isNamed, isSame, isOfFile]) {
    const at = hits.findIndex(fits);
    if (at >= 0) return at;
  }
  return -1;
}

/** A place from how a hit was cited. */
function namedPlace(shown: string, cited: string): OpenPlace {
  const { project, citation } = ownPlace(shown, cited);
  return placeOf(project, citation);
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

function backToList(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || !(event.target as Element).closest('.pane')) return;
  const close = document.querySelector<HTMLElement>('.pane-back, .pane-close');
  // On a wide screen the list was never gone.
  if (close?.offsetParent) close.click();
  else document.querySelector<HTMLElement>('.hit[aria-current="true"]')?.focus();
  event.preventDefault();
}
