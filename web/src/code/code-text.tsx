import { useEffect, useState } from 'preact/hooks';
import { plainly } from '../shell/words.ts';
import type { Stretch } from './colour.ts';
import { grammarOf } from './languages.ts';
import { piecesOf } from './marks.ts';

/** The longest text that is coloured: grammars are no match for every text. */
const maxLength = 40_000;

/** A text of a document with its lines numbered, coloured when the grammars are loaded, and with marks. */
export function CodeText({
  path,
  text,
  firstLine,
  lines = Number.POSITIVE_INFINITY,
  marks,
  lit,
  said,
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
  /** The sentence to mark, as offsets in the text. */
  said?: readonly [number, number] | undefined;
}) {
  const [coloured, setColoured] = useState<{ text: string; lines: Stretch[][] }>();
  const grammar = grammarOf(path);
  const isProse = grammar === undefined || grammar === 'markdown';
  useEffect(() => {
    if (grammar === undefined || text.length > maxLength) return;
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
  const shown = all.slice(0, lines);
  const begins = beginningsOf(shown);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reached by keys.
    // biome-ignore lint/a11y/useSemanticElements: a text with its lines is no group of fields.
    <pre class={isProse ? 'code is-prose' : 'code'} tabIndex={0} role="group" aria-label={label}>
      {shown.map((line, index) => (
        <div key={index} class={isLit((firstLine ?? 1) + index) ? 'line is-lit' : 'line'}>
          {firstLine !== undefined && (
            <span class="line-number" aria-hidden="true">
              {firstLine + index}
            </span>
          )}
          <code dir={isProse ? 'auto' : undefined}>
            {isPageBreak(line) && <span class="quiet">· · ·</span>}
            {(isPageBreak(line) ? [] : line).flatMap((stretch, part) =>
              cutAt(stretch, begins[index]?.[part] ?? 0, said).map((piece, at) =>
                piece.isSaid ? (
                  <mark key={`${part} ${at}`} class="said">
                    {plainly(piece.text)}
                  </mark>
                ) : (
                  piecesIn(piece, `${part} ${at}`, said ? undefined : marks)
                ),
              ),
            )}
          </code>
        </div>
      ))}
    </pre>
  );
}

/** Whether a line is what stands between two pages, and shows nothing. */
function isPageBreak(line: readonly Stretch[]): boolean {
  return line.map(({ text }) => text).join('') === '\f';
}

/** Where each stretch of each line begins in the text. */
function beginningsOf(lines: readonly (readonly Stretch[])[]): number[][] {
  let at = 0;
  return lines.map((line) => {
    const begins = line.map(({ text }) => {
      const begin = at;
      at += text.length;
      return begin;
    });
    at += 1;
    return begins;
  });
}

/** A stretch in up to three pieces: before, within and after what is said. */
function cutAt(
  { text, colour }: Stretch,
  begin: number,
  said: readonly [number, number] | undefined,
): (Stretch & { isSaid: boolean })[] {
  const [from, to] = said ? [Math.max(0, said[0] - begin), Math.min(text.length, said[1] - begin)] : [0, 0];
  if (from >= to) return [{ text, colour, isSaid: false }];
  return [
    { text: text.slice(0, from), colour, isSaid: false },
    { text: text.slice(from, to), colour, isSaid: true },
    { text: text.slice(to), colour, isSaid: false },
  ].filter((piece) => piece.text !== '');
}

function piecesIn({ text, colour }: Stretch, part: string, marks: RegExp | undefined) {
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
