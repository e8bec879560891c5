/** A run of characters on a page, as a PDF parser gives it. */
export interface TextRun {
  readonly str: string;
  /** Whether a line ends after this run. */
  readonly hasEOL: boolean;
  /** The last two of the six numbers are the place of the run: x to the right, y upwards. */
  readonly transform: readonly number[];
  readonly height: number;
}

/** A step down of more than this many line heights begins a paragraph. */
const paragraphStep = 1.6;

/** Joins the runs of a page to lines and paragraphs; a word broken at a line end becomes whole again. */
export function pageText(runs: readonly TextRun[]): string {
  let text = '';
  let line = '';
  let lineY = 0;
  let lineHeight = 0;
  let lastY: number | undefined;
  let lastHeight = 0;
  const endLine = (): void => {
    if (line.trim() === '') return;
    const height = Math.max(lineHeight, lastHeight, 1);
    const step = lastY === undefined ? 0 : Math.abs(lastY - lineY);
    text = joined(text, line.replace(/\s+/g, ' ').trim(), step > paragraphStep * height);
    lastY = lineY;
    lastHeight = lineHeight;
    line = '';
    lineHeight = 0;
  };
  for (const { str, hasEOL, transform, height } of runs) {
    if (str.trim() !== '') {
      if (line.trim() === '') lineY = transform[5] ?? 0;
      lineHeight = Math.max(lineHeight, height);
    }
    line += str;
    if (hasEOL) endLine();
  }
  endLine();
  return text;
}

function joined(text: string, line: string, newParagraph: boolean): string {
  if (text === '') return line;
  if (newParagraph) return `${text}\n\n${line}`;
  if (/\p{Ll}[-\u00ad]$/u.test(text.slice(-3)) && /^\p{Ll}/u.test(line)) return text.slice(0, -1) + line;
  return `${text}\n${line}`;
}
