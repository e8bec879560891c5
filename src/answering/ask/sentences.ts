/** A sentence of a text, with its position; white space after it belongs to it. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What ends with a point and ends no sentence: an abbreviation, an initial, or the number of a list. */
const noEnd =
  /(?:\b(?:e\.g|i\.e|a\.m|p\.m|vs|cf|approx|fig|no|nr|dr|prof|mr|mrs|ms|st|ca|bzw|ggf|inkl|vgl|str|tel|z\.\s?b|d\.\s?h|u\.\s?a)|(?<![\p{L}\p{N}.])\p{Lu}|^\s*(?:\d+|[-*]))[.)]?\s*$/iu;
/** A day, as German and others write it; what follows is its month, or continues in small letters. */
const dayEnd = /(?<![\d.])(?:[1-9]|[12]\d|3[01])\.\s*$/;
const afterDay = /^(?:\p{Ll}|\d|jan|feb|m[aä]r|apr|ma[ijy]|jun|jul|aug|sep|o[kc]t|nov|de[zc])/iu;

/** Citations and closing marks, which belong to the sentence before them. */
const closing = /^(?:\s*(?:\[\d[\d, ]*\]|[)\]"'”’.]))+\s*/;

/** Characters that say whether a sentence ends here: it may have grown long, and each of its parts asks. */
const endingLength = 60;

/** The end of a sentence, marked so that it is not taken for the number of a list, which is all that stands before one. */
function endingOf(before: string, added: string): string {
  const text = before + added;
  return text.length <= endingLength ? text : `…${text.slice(-endingLength)}`;
}

/** The sentences of a text, one after the other without a gap. */
export function sentencesOf(text: string): Sentence[] {
  const parts: string[] = [];
  let ending = '';
  for (const { segment } of segmenter.segment(text)) {
    const last = parts.length - 1;
    const closed = last < 0 ? '' : (closing.exec(segment)?.[0] ?? '');
    const isDay = dayEnd.test(ending) && afterDay.test(segment);
    if (last >= 0 && (isDay || noEnd.test(ending) || closed === segment)) {
      parts[last] += segment;
      ending = endingOf(ending, segment);
      continue;
    }
    const own = last >= 0 && closed.includes('[') ? segment.slice(closed.length) : segment;
    if (own !== segment) parts[last] += closed;
    parts.push(own);
    ending = endingOf('', own);
  }
  let end = 0;
  return parts.map((part) => {
    const start = end;
    end += part.length;
    return { start, end, text: part };
  });
}
