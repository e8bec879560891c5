/** A sentence of a text, with its position; white space after it belongs to it. */
export interface Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

const segmenter = new Intl.Segmenter('en', { granularity: 'sentence' });

/** What ends with a point and ends no sentence: an abbreviation, or the number of a list. */
const noEnd = /(?:\b(?:e\.g|i\.e|etc|vs|cf|approx|fig|no|nr|dr|mr|mrs|ms|st)|^\s*(?:\d+|[-*]))[.)]?\s*$/i;

/** Citations and closing marks, which belong to the sentence before them. */
const closing = /^(?:\s*(?:\[\d[\d, ]*\]|[)\]"'”’.]))+\s*/;

/** The sentences of a text, one after the other without a gap. */
export function sentencesOf(text: string): Sentence[] {
  const parts: string[] = [];
  for (const { segment } of segmenter.segment(text)) {
    const before = parts.at(-1);
    const closed = before === undefined ? '' : (closing.exec(segment)?.[0] ?? '');
    if (before !== undefined && (noEnd.test(before) || closed === segment))
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
