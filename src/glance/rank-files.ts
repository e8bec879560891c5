/** How often each word of a question stands in a file. */
export interface CountedFile<File> {
  readonly file: File;
  /** Counts in its text, in the order of the words; absent where its text was not looked at, or is none. */
  readonly inText?: readonly number[] | undefined;
  /** Counts in its path. */
  readonly inPath: readonly number[];
  /** Bytes that were looked at. */
  readonly length: number;
}

/** A file and how well it fits; only the order of scores has a meaning. */
export interface RankedFile<File> {
  readonly file: File;
  readonly score: number;
}

/**
 * How soon more of the same word says no more, and how much a long file must have more of it. A whole file has many places for
 * a word: the 1.2 that suits passages finds fewer of the right files.
 */
const saturation = 3;
const lengthShare = 0.75;
/** A word in the path counts as so many in the text. */
const pathCount = 3;

/** Files by BM25 of a question's words over their raw text and names, best first; those that have none are left out. */
export function rankFiles<File>(counted: readonly CountedFile<File>[], words: number): RankedFile<File>[] {
  const present = counted.filter(({ inText }) => inText !== undefined);
  const average = sum(present.map(({ length }) => length)) / Math.max(1, present.length) || 1;
  const weights = Array.from({ length: words }, (_, word) => {
    const holding = counted.filter(({ inText, inPath }) => (inText?.[word] ?? 0) + (inPath[word] ?? 0) > 0);
    return Math.log(1 + (counted.length - holding.length + 0.5) / (holding.length + 0.5));
  });
  const scoreOf = ({ inText = [], inPath, length }: CountedFile<File>): number => {
    const norm = saturation * (1 - lengthShare + (lengthShare * length) / average);
    let score = 0;
    for (const [word, weight] of weights.entries()) {
      const count = (inText[word] ?? 0) + pathCount * (inPath[word] ?? 0);
      if (count === 0) continue;
      score += (weight * count * (saturation + 1)) / (count + norm);
    }
    return score;
  };
  return counted
    .map((each) => ({ file: each.file, score: scoreOf(each) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score);
}

function sum(values: readonly number[]): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
