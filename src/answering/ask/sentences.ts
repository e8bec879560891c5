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

/** The sentences of a text, one after the other without a gap. */
export function sentencesOf(text: string): Sentence[] {
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const before = parts.at(-1);
    const closed = before === undefined ? '' : (closing.exec(segment)?.[0] ?? '');
    const isDay = before !== undefined && dayEnd.test(before) && afterDay.test(segment);
    if (before !== undefined && (isDay || noEnd.test(before) || closed === segment))
      parts[parts.length - 1] += segment;
    else if (before !== undefined && closed.includes('[')) {
      parts[parts.length - 1] += closed;
      parts.push(segment.slice(closed.length));
    } else parts.push(segment);
  }
  let end = 0;
  return parts.map((part) => {
    const start = end;
    end += part.length;
    return { start, end, text: part };
  });
}
