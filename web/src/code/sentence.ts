/** The share of the words of a sentence that another must have to be what it rests on. */
const sharedFrom = 0.4;
/** Letters of a sentence that are looked for. */
const maxLength = 2000;

/** Where a text says a sentence, as offsets: word by word, whatever stands between the lines, or else the sentence with most of its words. */
export function findSentence(text: string, sentence: string): readonly [number, number] | undefined {
  // Of a quote with words before it, what is quoted.
  const words = (/“(.+)”/su.exec(sentence)?.[1] ?? sentence)
    .slice(0, maxLength)
    .replace(/^[“"'\s]+|[”"'\s]+$/gu, '')
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return undefined;
  // Between two lines there may be the marks of a quote, a list or a comment.
  const between = String.raw`\s+(?:(?:[>*#|/]+|-)\s+)*`;
  const exact = new RegExp(words.map(escaped).join(between), 'u').exec(text);
  if (exact) return [exact.index, exact.index + exact[0].length];
  const wanted = new Set(contentOf(sentence));
  let best: readonly [number, number] | undefined;
  let max = sharedFrom;
  for (const { segment, index } of new Intl.Segmenter('en', { granularity: 'sentence' }).segment(text)) {
    const has = new Set(contentOf(segment));
    const share = [...wanted].filter((word) => has.has(word)).length / Math.max(1, wanted.size);
    if (share <= max) continue;
    max = share;
    best = [index, index + segment.trimEnd().length];
  }
  return best;
}

function contentOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).filter(
    (word) => word.length > 3 || /\d/.test(word),
  );
}

function escaped(word: string): string {
  return word.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');
}
