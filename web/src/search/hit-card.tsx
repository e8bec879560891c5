import { useState } from 'preact/hooks';
import { relevanceWord } from '../../../src/core/relevance.ts';
import { counted } from '../../../src/core/text/counted.ts';
import type { SearchHit } from '../../../src/operations/find/search.ts';
import { CodeText } from '../code/code-text.tsx';
import { editorLink } from '../code/editor.ts';
import { Copy } from '../shell/copy.tsx';
import { isTyping } from '../shell/keys.ts';
import { PathName } from '../shell/path-name.tsx';
import { plainly, sectionOf } from '../shell/words.ts';
import { Neighbours } from './neighbours.tsx';
import { ScoreBars } from './score-bars.tsx';

/** Lines of a text that are shown before the reader asks for all. */
const shortText = 12;

/** One hit: where it is, its text, and on demand its surroundings and why it has its rank. */
export function HitCard({
  project,
  hit,
  number,
  hits,
  marks,
}: {
  project: string;
  hit: SearchHit;
  number: number;
  hits: readonly SearchHit[];
  marks: RegExp | undefined;
}) {
  const [isWhole, setWhole] = useState(false);
  const [showsWhy, setWhy] = useState(false);
  const [showsAround, setAround] = useState(false);
  const text = hit.text ?? '';
  const lines = text.split('\n').length;
  const editor = editorLink(project, hit.path, hit.lines?.[0]);
  const onKey = (event: KeyboardEvent): void => {
    if (event.target !== event.currentTarget || isTyping(event) || event.ctrlKey || event.metaKey) return;
    const act = {
      Enter: () => setWhole(!isWhole),
      w: () => setWhy(!showsWhy),
      n: () => setAround(!showsAround),
      // Where a browser does not allow it, its button says so.
      c: () => navigator.clipboard?.writeText(text).catch(() => undefined),
      o: () => editor !== undefined && location.assign(editor),
    }[event.key];
    if (!act) return;
    act();
    event.preventDefault();
  };
  const label = `Hit ${number}: ${plainly(hit.citation)}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a hit is where the arrow keys go.
    <article class="hit" tabIndex={0} onKeyDown={onKey} aria-label={label}>
      <header>
        <span class="hit-number">{number}</span>
        <h2>
          <Citation path={hit.path} citation={hit.citation} />
          {hit.section !== '' && <span class="section">{sectionOf(hit.section)}</span>}
        </h2>
        {hit.occurrences === undefined ? (
          <Relevance value={hit.relevance} />
        ) : (
          <span class="relevance">{counted(hit.occurrences, 'occurrence')}</span>
        )}
      </header>
      {showsAround ? (
        <Neighbours project={project} hit={hit} marks={marks} />
      ) : (
        <CodeText
          path={hit.path}
          text={text}
          firstLine={hit.lines?.[0]}
          lines={isWhole ? Number.POSITIVE_INFINITY : shortText}
          marks={marks}
        />
      )}
      {hit.also_at && (
        <p class="quiet also">
          The same text: {plainly(hit.also_at.map(({ citation }) => citation).join(', '))}
        </p>
      )}
      {hit.more?.map((further) => (
        <details class="further" key={further.chunk}>
          <summary>
            More at <Citation path={hit.path} citation={further.citation} />
            {further.section !== '' && <span class="section">{sectionOf(further.section)}</span>}
          </summary>
          <CodeText
            path={hit.path}
            text={further.text ?? ''}
            firstLine={further.lines?.[0]}
            lines={Number.POSITIVE_INFINITY}
            marks={marks}
          />
        </details>
      ))}
      <footer>
        {lines > shortText && !showsAround && (
          <button type="button" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
            {isWhole ? 'Show less' : `All ${lines} lines`}
          </button>
        )}
        <button type="button" title="n" aria-expanded={showsAround} onClick={() => setAround(!showsAround)}>
          Around it
        </button>
        <button type="button" title="w" aria-expanded={showsWhy} onClick={() => setWhy(!showsWhy)}>
          Why here
        </button>
        <Copy text={text} name="Copy" />
        <Copy text={hit.citation} name="Copy place" />
        {editor !== undefined && (
          <a class="button" href={editor} title="In your editor (o)">
            Open
          </a>
        )}
        <span class="tag">{hit.type}</span>
        {hit.symbol && <span class="tag">{hit.symbol.kind}</span>}
      </footer>
      {showsWhy && <ScoreBars hit={hit} hits={hits} />}
    </article>
  );
}

function Citation({ path, citation }: { path: string; citation: string }) {
  return (
    <span class="citation">
      <PathName path={path} />
      <span class="place">
        {citation.startsWith(path) ? plainly(citation.slice(path.length)) : ` ${plainly(citation)}`}
      </span>
    </span>
  );
}

function Relevance({ value }: { value: number }) {
  return (
    <span class="relevance" title={`The likelihood that it is relevant: ${value.toFixed(2)}`}>
      <meter min={0} max={1} value={value} aria-label="Relevance" />
      <span>{relevanceWord(value)}</span>
    </span>
  );
}
