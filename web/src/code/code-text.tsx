import { useEffect, useState } from 'preact/hooks';
import { plainly } from '../shell/words.ts';
import type { Stretch } from './colour.ts';
import { grammarOf } from './languages.ts';
import { piecesOf } from './marks.ts';

/** The longest text that is coloured: grammars are no match for every text. */
const longest = 40_000;

/** A text of a document with its lines numbered, coloured when the grammars are loaded, and with marks. */
export function CodeText({
  path,
  text,
  firstLine,
  lines = Number.POSITIVE_INFINITY,
  marks,
  lit,
}: {
  path: string;
  text: string;
  /** The number of its first line; absent where lines have no numbers. */
  firstLine?: number | undefined;
  /** How many lines are shown. */
  lines?: number;
  marks?: RegExp | undefined;
  /** Lines to set off from the others, by their numbers. */
  lit?: readonly [number, number] | undefined;
}) {
  const [coloured, setColoured] = useState<{ text: string; lines: Stretch[][] }>();
  const grammar = grammarOf(path);
  const isProse = grammar === undefined || grammar === 'markdown';
  useEffect(() => {
    if (grammar === undefined || text.length > longest) return;
    let isGone = false;
    void import('./colour.ts').then(
      ({ colouredLines }) => !isGone && setColoured({ text, lines: colouredLines(text, grammar) }),
      // Without colours it can be read as well.
      () => undefined,
    );
    return () => {
      isGone = true;
    };
  }, [text, grammar]);
  const all: readonly Stretch[][] =
    coloured?.text === text ? coloured.lines : text.split('\n').map((line) => [{ text: line, colour: '' }]);
  const isLit = (number: number): boolean => lit !== undefined && number >= lit[0] && number <= lit[1];
  const label = `Text of ${plainly(path)}`;
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text with its lines is no group of fields.
    <pre class={isProse ? 'code is-prose' : 'code'} tabIndex={0} role="group" aria-label={label}>
      {all.slice(0, lines).map((line, index) => (
        <div key={index} class={firstLine !== undefined && isLit(firstLine + index) ? 'line is-lit' : 'line'}>
          {firstLine !== undefined && (
            <span class="line-number" aria-hidden="true">
              {firstLine + index}
            </span>
          )}
          <code>{line.map((stretch, part) => piecesIn(stretch, part, marks))}</code>
        </div>
      ))}
    </pre>
  );
}

function piecesIn({ text, colour }: Stretch, part: number, marks: RegExp | undefined) {
  const pieces = piecesOf(plainly(text), marks).map((piece, index) =>
    piece.isMarked ? <mark key={index}>{piece.text}</mark> : piece.text,
  );
  return colour === '' ? (
    pieces
  ) : (
    <span key={part} class={colour}>
      {pieces}
    </span>
  );
}
