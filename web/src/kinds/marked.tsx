import { piecesOf } from '../code/marks.ts';
import { findSentence } from '../code/sentence.ts';
import { plainly } from '../shell/words.ts';

/** A text with what is said of it marked, or else the words of the query. */
export function Marked({
  text,
  marks,
  words,
}: {
  text: string;
  marks: RegExp | undefined;
  words?: string | undefined;
}) {
  const said = words === undefined || words === '' ? undefined : findSentence(text, words);
  if (said)
    return (
      <>
        {plain(text.slice(0, said[0]))}
        <mark class="said">{plain(text.slice(...said))}</mark>
        {plain(text.slice(said[1]))}
      </>
    );
  return (
    <>
      {piecesOf(plain(text), words === undefined ? marks : undefined).map((piece, index) =>
        piece.isMarked ? <mark key={index}>{piece.text}</mark> : piece.text,
      )}
    </>
  );
}

/** Whether lines of a text lie within those that are lit; where its lines have no numbers, they are counted from 1. */
export function isLit(
  firstLine: number | undefined,
  [from, to]: readonly [number, number],
  lit: readonly [number, number] | undefined,
): boolean {
  const first = firstLine ?? 1;
  return lit !== undefined && first + from <= lit[1] && first + to >= lit[0];
}

/** A text of several lines with what would turn it around, or show nothing, as numbers. */
export function plain(text: string): string {
  return text
    .split(/([\n\t])/)
    .map((part) => (part === '\n' || part === '\t' ? part : plainly(part)))
    .join('');
}
