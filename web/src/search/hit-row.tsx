import { nameOf } from '../../../src/core/documents/people.ts';
import { relevanceWord } from '../../../src/core/relevance.ts';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { piecesOf } from '../code/marks.ts';
import { PathName } from '../shell/path-name.tsx';
import { ago, counted, plainly, plural, sectionOf } from '../shell/words.ts';
import { bestLines, fromMatch } from './best-lines.ts';

/** One hit in the list: where it is, its best lines, and how likely it is to be right. */
export function HitRow({
  hit,
  number,
  marks,
  isChosen,
  isOpened,
  isNew,
  verdict,
  onChoose,
  onKey,
}: {
  hit: SearchHit;
  number: number;
  marks: RegExp | undefined;
  isChosen: boolean;
  /** Whether the reader has looked at it before. */
  isOpened: boolean;
  /** Whether it was not among the hits when the reader saw this saved search last. */
  isNew: boolean;
  verdict: 'yes' | 'no' | undefined;
  /** The reader wants to see it, or this line of it; on a narrow screen in place of the list, where it was not only reached by keys. */
  onChoose: (isOpened: boolean, line?: number) => void;
  onKey: (event: KeyboardEvent) => void;
}) {
  const lines = bestLines(hit, marks);
  const kind = hit.symbol?.kind ?? hit.type;
  const isCode = ['code', 'config', 'log', 'data'].includes(hit.type);
  return (
    <article
      class={isOpened ? 'hit is-opened' : 'hit'}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a hit is where the arrow keys go.
      tabIndex={0}
      aria-label={`Hit ${number}: ${plainly(hit.citation)}`}
      aria-current={isChosen}
      onFocus={() => onChoose(false)}
      onClick={(event) => onChoose(true, lineAt(event.target))}
      onKeyDown={onKey}
    >
      <header>
        <h2>
          <Citation path={hit.path} citation={hit.citation} />
        </h2>
        {hit.occurrences === undefined ? (
          <Relevance value={hit.relevance} />
        ) : (
          <span class="relevance">{plural(hit.occurrences, 'occurrence')}</span>
        )}
      </header>
      {lines.map((line, at) => (
        <p key={at} class={isCode ? 'best-line is-code' : 'best-line'} data-line={line.number} dir="auto">
          {lines.length > 1 && line.number !== undefined && <span class="place">{line.number} </span>}
          {piecesOf(fromMatch(plainly(line.text), marks), marks).map((piece, index) =>
            piece.isMarked ? <mark key={index}>{piece.text}</mark> : piece.text,
          )}
        </p>
      ))}
      <p class="quiet hit-facts">
        {isNew && <b class="is-new">new</b>}
        {verdict && <b>{verdict === 'yes' ? '✓ this was it' : '✗ not this'}</b>}
        {isOpened && <span>opened</span>}
        {hit.project !== undefined && <b class="of-project">{plainly(hit.project)}</b>}
        <span>{kind}</span>
        {hit.authors && <span>{plainly(nameOf(hit.authors[0] ?? ''))}</span>}
        {hit.written_at !== undefined && <span>{ago(hit.written_at)}</span>}
        {hit.section !== '' && !hit.citation.includes(hit.section) && (
          <span class="section">{sectionOf(hit.section)}</span>
        )}
        {(hit.more?.length ?? 0) > 0 && <span>{counted(hit.more?.length ?? 0)} more in it</span>}
      </p>
    </article>
  );
}

/** The number of the line that was clicked; undefined for the rest of a hit. */
function lineAt(clicked: EventTarget | null): number | undefined {
  const line =
    clicked instanceof Element ? clicked.closest<HTMLElement>('.best-line')?.dataset.line : undefined;
  return line === undefined ? undefined : Number(line);
}

/** Characters of lines or pages, which are never cut; what is longer tells of a message or a sheet. */
const longestLines = 16;

/** Path and place, the name of the file set off. */
export function Citation({ path, citation }: { path: string; citation: string }) {
  const place = citation.startsWith(path) ? citation.slice(path.length) : ` ${citation}`;
  return (
    <span class="citation">
      <PathName path={path} />
      <span class={place.length > longestLines ? 'place is-long' : 'place'}>{plainly(place)}</span>
    </span>
  );
}

/** The word for a relevance; the number is for who wants it. */
export function Relevance({ value }: { value: number }) {
  const word = relevanceWord(value);
  return (
    <span class={`relevance is-${word}`} title={`The likelihood that it is relevant: ${value.toFixed(2)}`}>
      {word}
    </span>
  );
}
