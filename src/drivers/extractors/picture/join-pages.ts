import type { RecognisedText } from '../../../core/picture.ts';
import type { PlaceMark } from '../../../core/place.ts';
import type { WordBox } from '../../../core/word-box.ts';
import { joinParts } from '../join-parts.ts';

/** The text of a page; words where it was read from a picture. */
export type PageOfText = Pick<RecognisedText, 'text'> & { readonly words?: readonly WordBox[] };

/** Between two pages of a text. */
const pageBreak = '\n\f\n';

/** Pages as one text, with where each begins and where its words stand. */
export function joinPages(pages: readonly PageOfText[]): {
  readonly text: string;
  readonly marks: PlaceMark<number>[];
  readonly words: WordBox[];
} {
  const joined = joinParts(
    pages.map(({ text }, index) => ({ text, at: index + 1 })),
    pageBreak,
  );
  const words = pages.flatMap((page, index) => {
    const { start: by, at } = joined.marks[index] ?? { start: 0, at: 1 };
    return (page.words ?? []).map((word) => ({
      ...word,
      page: at,
      start: word.start + by,
      end: word.end + by,
    }));
  });
  return { ...joined, words };
}
