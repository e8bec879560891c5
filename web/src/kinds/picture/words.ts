import { piecesOf } from '../../code/marks.ts';
import { findSentence } from '../../code/sentence.ts';

/** A word on a page, and where it stands there in thousandths of the width and height. */
export interface WordOnPage {
  readonly word: string;
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

/** The words that say a sentence, or else those that a query has; empty where the page has neither. */
export function wordsToMark(
  words: readonly WordOnPage[],
  said: string | undefined,
  marks: RegExp | undefined,
): { readonly words: readonly WordOnPage[]; readonly isSaid: boolean } {
  const starts: number[] = [];
  let text = '';
  for (const { word } of words) {
    starts.push(text.length);
    text += `${word} `;
  }
  const within = (from: number, to: number) =>
    words.filter(({ word }, index) => {
      const start = starts[index] ?? 0;
      return start < to && start + word.length > from;
    });
  const range = said === undefined || said === '' ? undefined : findSentence(text, said);
  if (range) return { words: within(...range), isSaid: true };
  const hasMark = (word: string): boolean => piecesOf(word, marks).some(({ isMarked }) => isMarked);
  return { words: marks ? words.filter(({ word }) => hasMark(word)) : [], isSaid: false };
}
