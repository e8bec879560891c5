import './search.css';
import './remembered.css';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isDisabled } from '../../../src/core/failures/project-disabled.ts';
import { runningIndex } from '../api/jobs.ts';
import { loadNotes } from '../api/notes.ts';
import { perform, type ResultOf } from '../api/operations.ts';
import { useAnswer } from '../api/use-answer.ts';
import { Problem } from '../shell/problem.tsx';
import { Progress } from '../shell/progress.tsx';
import { AnswerSlot } from './answer-slot.tsx';
import { askThis, forgetAnswer, quoteAnswer } from './asking.ts';
import { Beginning } from './beginning.tsx';
import { FileListSlot } from './file-list-slot.tsx';
import { Filters } from './filters.tsx';
import { HitList } from './hit-list.tsx';
import { NothingFound } from './nothing-found.tsx';
import { PendingNote } from './pending-note.tsx';
import { askFor, question, typed } from './query-state.ts';
import { filtersIn, keptForm } from './questions.ts';
import { forgetSearch, runSearch, search } from './run-search.ts';
import { SetFilters } from './set-filters.tsx';
import { settle, takesPlace } from './settle.ts';
import { Summary } from './summary.tsx';
import { sortedOut } from './warnings.ts';

/** Milliseconds after the last letter before the server is asked. */
const typingPause = 110;

/** Milliseconds that a question stands until it is one to come back to. */
const restsAfter = 2000;

/** Milliseconds between two looks at an empty index: others may fill it, of whose runs the page hears nothing. */
const looksEvery = 3000;

/** Search as you type, with filters, and the hits below. */
export function SearchView({ project }: { project: string }) {
  const asked = question.value;
  const hurried = useRef(false);
  const pause = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  // Again when a run has ended: what is in the index then is another.
  const [isEmpty, setEmpty] = useState(false);
  const overview = useAnswer(
    () => perform(project, 'status', { compare: false }),
    [project, runningIndex.value?.id],
    isEmpty ? looksEvery : undefined,
  );
  useEffect(
    () => setEmpty(overview.result?.empty === true && overview.result.enabled),
    [overview.result?.empty, overview.result?.enabled],
  );
  // Not after the next picture: by then the pause for a question of the previous project may be over.
  useLayoutEffect(() => {
    pause.current = setTimeout(
      () => runSearch(project, asked, hurried.current),
      hurried.current ? typingPause : 0,
    );
    return () => clearTimeout(pause.current);
  }, [project, asked]);
  // Before the next view asks: a cleanup that waits for its picture would forget what that has found.
  useLayoutEffect(
    () => () => {
      forgetSearch();
      forgetAnswer();
    },
    [],
  );
  useEffect(() => quoteAnswer(project, asked), [project, asked]);
  useEffect(() => void loadNotes(project), [project]);
  useEffect(() => {
    const rest = setTimeout(() => settle(project), restsAfter);
    return () => clearTimeout(rest);
  }, [project, asked]);
  const ask = (query: string, isTyping: boolean) => {
    // The first search of an empty index has to make it.
    hurried.current = isTyping && overview.result?.empty === false;
    if (!isTyping && query === typed.value.query) {
      clearTimeout(pause.current);
      void runSearch(project, question.value, false);
    } else askFor({ query, top: '' }, { replace: takesPlace(query) });
    if (!isTyping) settle(project);
  };
  return (
    <>
      <h1 class="unseen">Search</h1>
      <search class="search">
        <QueryBox query={typed.value.query} onAsk={ask} onAnswer={() => askThis(project, question.value)} />
        <Filters types={Object.keys(overview.result?.types ?? {})} />
      </search>
      <Results project={project} overview={overview.result} />
    </>
  );
}

function QueryBox({
  query,
  onAsk,
  onAnswer,
}: {
  query: string;
  onAsk: (query: string, isTyping: boolean) => void;
  /** The reader wants an answer, not only places. */
  onAnswer: () => void;
}) {
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // On a phone that would cover half of the page with a keyboard.
    if (!matchMedia('(pointer: coarse)').matches) box.current?.focus({ preventScroll: true });
  }, []);
  return (
    <form
      class="query"
      onSubmit={(event) => {
        event.preventDefault();
        onAsk(box.current?.value ?? '', false);
      }}
    >
      <svg viewBox="0 0 20 20" width="20" height="20" aria-hidden="true">
        <circle cx="8.5" cy="8.5" r="5.5" fill="none" stroke="currentColor" stroke-width="1.8" />
        <path d="M12.8 12.8 17.5 17.5" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
      </svg>
      <input
        ref={box}
        name="query"
        type="search"
        data-keys="query"
        aria-label="Query"
        placeholder="Ask, or type a name"
        autocomplete="off"
        autocapitalize="off"
        spellcheck={false}
        enterkeyhint="search"
        value={query}
        onInput={(event) => onAsk(event.currentTarget.value, true)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
            onAnswer();
            event.preventDefault();
          }
          if (event.key !== 'ArrowDown') return;
          document.querySelector<HTMLElement>('.hit')?.focus();
          event.preventDefault();
        }}
      />
      {query === '' ? (
        <kbd>/</kbd>
      ) : (
        <>
          <button type="button" class="ask-this" title="Ctrl+Enter; a in the list" onClick={onAnswer}>
            Ask this
          </button>
          <button
            type="button"
            class="icon"
            aria-label="Clear the query"
            onClick={() => {
              onAsk('', true);
              box.current?.focus();
            }}
          >
            ×
          </button>
        </>
      )}
    </form>
  );
}

function Results({ project, overview }: { project: string; overview: ResultOf<'status'> | undefined }) {
  const { asked, result, error, isRunning, progress } = search.value;
  // What is shown answers what was typed before.
  const isOfAnother = keptForm(asked ?? { ...question.value, query: '' }) !== keptForm(question.value);
  const { serious, isFirstOrder } = sortedOut(result?.warnings ?? []);
  // Filters without a query: the files that pass them.
  const isListing =
    question.value.query.trim() === '' && filtersIn(question.value) > 0 && overview?.empty !== true;
  return (
    <div class="results" aria-busy={isRunning || isOfAnother}>
      {progress && <Progress progress={progress} />}
      {isRunning && !progress && !result && !error && (
        <p class="quiet late" role="status">
          Searching…
        </p>
      )}
      {error && (
        <Problem error={error} retry={() => void runSearch(project, asked ?? question.value, false)} />
      )}
      {isListing && <SetFilters />}
      {isListing && <FileListSlot project={project} asked={question.value} />}
      {!result && !error && !isRunning && !isListing && <Beginning project={project} overview={overview} />}
      {serious.map((warning) => (
        <Problem key={warning.code} error={warning} isWarning />
      ))}
      {result && !isDisabled(result.warnings) && (
        <>
          <Summary project={project} result={result} isRunning={isRunning} />
          {result.pending > 0 && <PendingNote project={project} pending={result.pending} />}
          {isFirstOrder && (
            <p class="quiet small">
              In a first order: the model that looks closer at the best hits was not done in time.
            </p>
          )}
          {result.hits.length === 0 && <AnswerSlot project={project} />}
          {result.hits.length === 0 && <NothingFound project={project} overview={overview} />}
        </>
      )}
      {result && result.hits.length > 0 && <HitList project={project} result={result} />}
    </div>
  );
}
