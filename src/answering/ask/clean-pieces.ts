/** Cleans text as it is written: citations in one form and of sources that exist, no images, no unknown addresses. */
export interface PieceCleaner {
  /** What can be shown now; what may still become a citation or an address is held back. */
  push(piece: string): string;
  /** What was held back. */
  end(): string;
  /** Numbers that were cited and belong to no source. */
  readonly invented: readonly number[];
}

const list = '\\d{1,3}(?:\\s*(?:,|;|and|&)\\s*(?:source\\s*)?\\d{1,3}){0,9}';
const image = /^!\[([^\]\n]{0,300})\]\([^)\n]{0,2000}\)/;
const link = /^\[([^\]\n]{0,300})\]\(([^)\s]{0,2000})[^)\n]{0,300}\)/;
const citation = new RegExp(`^(?:[[【](?:sources?:?\\s*)?${list}[\\]】]|\\(sources?:?\\s*${list}\\))`, 'i');
const address = /^https?:\/\/[^\s<>"'`\])]{1,2000}/i;
const plain = /^(?:[^`![【(h]+|`+|[\s\S])/i;

/** All that is left, where it may become one of the above with the next piece. */
const unfinished =
  /^(?:!|!?\[[^\]\n]{0,300}(?:\](?:\([^)\n]{0,2000})?)?|【[^】\n]{0,60}|\((?:s|so|sou|sour|sourc|sources?:?[\s\d,;&and]{0,60})?|h|ht|htt|https?:?\/{0,2}|https?:\/\/[^\s<>"'`\])]*)$/i;

const thinkingBegins = '<think>';
const thinkingEnds = '</think>';

/** `isKnown` says whether an address stands in a source as it is: another may carry something away. */
export function cleanPieces(sourceCount: number, isKnown: (address: string) => boolean): PieceCleaner {
  let raw = '';
  let hasBegun = false;
  /** The backticks that the code began with, in which nothing is changed. */
  let code = '';
  const invented: number[] = [];

  const cite = (written: string): string => {
    const cited = [...written.matchAll(/\d+/g)].map(([digits]) => Number(digits));
    const isThere = (number: number): boolean => number >= 1 && number <= sourceCount;
    invented.push(...cited.filter((number) => !isThere(number)));
    return [...new Set(cited.filter(isThere))].map((number) => `[${number}]`).join('');
  };
  const isHarmless = (target: string): boolean =>
    isKnown(target) || isKnown(target.replace(/[.,;:!?]+$/, ''));
  const rules: readonly (readonly [RegExp, (whole: string, first?: string, second?: string) => string])[] = [
    [image, (_, alternative = '') => alternative],
    [link, (whole, text = '', target = '') => (isHarmless(target) ? whole : text)],
    [citation, cite],
    [address, (whole) => (isHarmless(whole) ? whole : '(address removed)')],
  ];

  /** What the next stretch becomes; undefined where that is not known yet. */
  const next = (isLast: boolean): string | undefined => {
    if (code === '') {
      if (!isLast && unfinished.test(raw)) return undefined;
      for (const [pattern, shown] of rules) {
        const [whole, first, second] = pattern.exec(raw) ?? [];
        if (whole === undefined) continue;
        raw = raw.slice(whole.length);
        return shown(whole, first, second);
      }
    }
    const [text = ''] = plain.exec(raw) ?? [];
    raw = raw.slice(text.length);
    if (text.startsWith('`') && (code === '' || code === text)) code = code === '' ? text : '';
    return text;
  };
  /** Leaves out what a model thinks before it answers; false while that may still go on. */
  const begin = (isLast: boolean): boolean => {
    const text = raw.trimStart();
    if (text.startsWith(thinkingBegins)) {
      const end = raw.indexOf(thinkingEnds);
      if (end < 0 && !isLast) return false;
      raw = end < 0 ? '' : raw.slice(end + thinkingEnds.length).trimStart();
    } else if (!isLast && thinkingBegins.startsWith(text)) return false;
    hasBegun = true;
    return true;
  };
  const run = (isLast: boolean): string => {
    if (!hasBegun && !begin(isLast)) return '';
    let text = '';
    while (raw !== '') {
      const shown = next(isLast);
      if (shown === undefined) break;
      text += shown;
    }
    return text;
  };
  return {
    invented,
    push(piece) {
      raw += piece;
      return run(false);
    },
    end: () => run(true),
  };
}
