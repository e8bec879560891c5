import { isDisabled } from '../../../src/core/failures/project-disabled.ts';
import { shownText } from '../../../src/core/text/shown-text.ts';
import { isLost } from '../api/session.ts';
import type { Passage } from '../code/passage-dialog.tsx';
import { plain } from '../kinds/marked.tsx';
import { Styled } from '../kinds/styled.tsx';
import { isMarkdown } from '../kinds/without-markup.ts';
import { notAmong } from '../search/warnings.ts';
import { Problem } from '../shell/problem.tsx';
import { Progress } from '../shell/progress.tsx';
import { linkTo, route } from '../shell/route.ts';
import { plainly, sectionOf } from '../shell/words.ts';
import { namedBy, numberedByUse } from './numbered-by-use.ts';
import { ask, type Turn } from './turns.ts';

type Result = NonNullable<Turn['result']>;
type Sentence = Result['sentences'][number];
/** A source of an answer. */
export type AnswerSource = Result['sources'][number];

const notices = {
  generated: '',
  extractive: 'No model wrote this: these are sentences of your files, quoted as they are.',
  none: 'The files of this project do not say.',
};
/** The same in a line, where the hits are below it. */
const quoted = 'No model wrote this: it is quoted.';
const verdictNames = {
  supported: '',
  unsupported: 'no source says this',
  stale: 'its file says something else by now',
  unchecked: '',
};

/** An answer: as it is written, and then sentence by sentence with its sources. */
export function AnswerText({
  turn,
  onOpen,
  onAgain = () => void ask(route.value.project ?? '', turn.question),
  isBrief = false,
  shown = [],
}: {
  turn: Turn;
  onOpen: (passage: Passage) => void;
  onAgain?: () => void;
  /** Whether the hits are in sight anyway: what was found and not used is not listed then. */
  isBrief?: boolean;
  /** Warnings that the reader sees anyway. */
  shown?: Result['warnings'];
}) {
  const { error, text, progress, isStopped } = turn;
  const result = turn.result && numberedByUse(turn.result);
  if (error)
    return (
      <>
        <Problem error={error} />
        <Again onAgain={onAgain} />
      </>
    );
  if (!result)
    return (
      <>
        {progress && <Progress progress={progress} />}
        <p class="answer" aria-live="polite" aria-busy={!isStopped}>
          {text ? <UnfinishedText text={text} /> : !isStopped && <span class="quiet">Looking…</span>}
        </p>
        {isStopped && <p class="quiet">Stopped.</p>}
        {isStopped && <Again onAgain={onAgain} />}
      </>
    );
  const cited = result.sources.filter((source) => source.cited);
  const others = result.sources.filter((source) => !source.cited);
  // The words before the quotes say what the notice below says.
  const isQuoted = ({ cited: own, verdict }: Sentence): boolean => own.length > 0 || verdict !== 'unchecked';
  const sentences = result.kind === 'extractive' ? result.sentences.filter(isQuoted) : result.sentences;
  return (
    <>
      {notAmong(result.warnings, shown).map((warning) => (
        <Problem key={warning.code} error={warning} isWarning />
      ))}
      {result.kind !== 'none' && (
        <p class="answer">
          {result.sentences.length === 0
            ? shownText(result.answer)
            : sentences.map((sentence, index) => (
                <SentenceText
                  key={index}
                  sentence={sentence}
                  sources={result.sources}
                  isWritten={result.kind === 'generated'}
                  onOpen={onOpen}
                />
              ))}
        </p>
      )}
      {notices[result.kind] !== '' && !isDisabled(result.warnings) && (
        <p class="quiet small origin">
          {isBrief && result.kind === 'extractive' ? quoted : notices[result.kind]}{' '}
          {result.kind === 'none' && !isBrief && (
            <a href={linkTo(route.value.project, 'search', { query: turn.question })}>Search for it</a>
          )}
        </p>
      )}
      {result.model !== undefined && <p class="quiet small">Written by {result.model}.</p>}
      {cited.length > 0 && <Sources sources={cited} sentences={result.sentences} onOpen={onOpen} />}
      {others.length > 0 && !isBrief && (
        <details>
          <summary>Found, but not used: {others.length}</summary>
          <Sources sources={others} sentences={[]} onOpen={onOpen} />
        </details>
      )}
    </>
  );
}

/** What is written so far: which sources its numbers stand for is said at the end. */
function UnfinishedText({ text }: { text: string }) {
  const parts = text.split(/\s*\[(\d+(?:\s*,\s*\d+)*|unsupported|source changed)\]/);
  return (
    <>
      {parts.map((part, index) => {
        if (index % 2 === 0) return shownText(part);
        const doubt = { unsupported: verdictNames.unsupported, 'source changed': verdictNames.stale }[part];
        return (
          <span key={index} class={doubt === undefined ? 'chip' : 'doubt'}>
            {doubt === undefined ? part : ` (${doubt})`}
          </span>
        );
      })}
    </>
  );
}

function Again({ onAgain }: { onAgain: () => void }) {
  return (
    <div class="actions">
      <button type="button" disabled={isLost.value} onClick={onAgain}>
        Ask again
      </button>
    </div>
  );
}

function withoutNumbers(text: string): string {
  return text.replace(/\s*\[\d+(?:\s*,\s*\d+)*\]/g, '').trim();
}

function SentenceText({
  sentence,
  sources,
  isWritten,
  onOpen,
}: {
  sentence: Sentence;
  sources: readonly AnswerSource[];
  /** Whether a model wrote it: it writes Markdown. */
  isWritten: boolean;
  onOpen: (passage: Passage) => void;
}) {
  const { text, verdict } = sentence;
  const numbers = namedBy(sentence);
  const said = withoutNumbers(text);
  const hasMarkup =
    isWritten || sources.some(({ number, path }) => number === numbers[0] && isMarkdown(path));
  const isDoubtful = verdict === 'unsupported' || verdict === 'stale';
  return (
    <span class="sentence">
      <span class={isDoubtful ? 'is-doubtful' : ''}>
        {hasMarkup ? <Styled text={said} marks={undefined} /> : plain(said)}
        {isDoubtful && <em class="doubt"> ({verdictNames[verdict]})</em>}
      </span>
      {numbers.map((number) => {
        const source = sources.find((known) => known.number === number);
        return (
          source && (
            <button
              key={number}
              type="button"
              class="chip"
              onClick={() => onOpen({ ...source, words: said })}
              aria-label={`Source ${number}: ${plainly(source.citation)}`}
              title={plainly(source.citation)}
            >
              {number}
            </button>
          )
        );
      })}{' '}
    </span>
  );
}

function Sources({
  sources,
  sentences,
  onOpen,
}: {
  sources: readonly AnswerSource[];
  sentences: readonly Sentence[];
  onOpen: (passage: Passage) => void;
}) {
  /** The first sentence that rests on a source. */
  const wordsFor = ({ number }: AnswerSource): string =>
    withoutNumbers(
      sentences.find(({ cited, supported_by }) => [...cited, ...supported_by].includes(number))?.text ?? '',
    );
  return (
    <ul class="sources">
      {sources.map((source) => (
        <li key={source.number}>
          <button type="button" class="link" onClick={() => onOpen({ ...source, words: wordsFor(source) })}>
            {source.number}. {plainly(source.citation)}
          </button>
          {source.section !== '' && !source.citation.includes(source.section) && (
            <span class="quiet"> {sectionOf(source.section)}</span>
          )}
          {source.on_disk !== 'current' && <span class="tag">{source.on_disk}</span>}
        </li>
      ))}
    </ul>
  );
}
