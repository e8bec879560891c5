import { looksLikeIdentifier } from '../../core/text/terms.ts';
import { errorPattern } from './error-pattern.ts';
import { isStackTrace } from './stack-trace.ts';

/** A shorter query is asked as it stands. */
const shortWords = 50;
/** Words of the description that are kept after the first paragraph. */
const maxProseWords = 40;
const maxTitleWords = 40;
/** Pasted lines from which a text is more than what a person wrote. */
const minListed = 3;
const maxErrorLines = 4;
const maxNames = 12;

/**
 * What a long query asks, without what a form, a log or a listing adds to it: the first paragraph, which counts twice,
 * lines of errors, names from code, and the beginning of the description. A report of sixty lines names half of the
 * files of a project by chance. A short query is returned unchanged, and so is one in which nothing is pasted.
 */
export function distinctiveText(text: string): string {
  if (wordCount(text) <= shortWords) return text;
  const { prose, listed } = partsOf(text.replace(/<!--.*?-->/gs, ' ').replace(addressPattern, ' '));
  if (listed.length < minListed) return text;
  const [title = '', ...rest] = prose;
  const first = firstWords(title, maxTitleWords);
  const lines = [...prose, ...listed];
  const errors = listed.filter(isErrorLine).slice(0, maxErrorLines);
  const names = namesIn(lines.join(' ')).slice(0, maxNames);
  const kept = [first, first, firstWords(rest.join(' '), maxProseWords), ...errors, names.join(' ')];
  return kept.filter((part) => part !== '').join('\n') || text;
}

const addressPattern = /\bhttps?:\/\/[^\s()"'<>]+/g;

/** The paragraphs that a person wrote, and what was pasted or filled in. */
function partsOf(text: string): { readonly prose: readonly string[]; readonly listed: readonly string[] } {
  const prose: string[] = [];
  const listed: string[] = [];
  let fence: string | undefined;
  let paragraph = '';
  const end = () => {
    if (paragraph !== '') prose.push(paragraph);
    paragraph = '';
  };
  for (const line of text.split('\n').map((written) => written.trim())) {
    const [mark] = /^(?:```+|~~~+)/.exec(line) ?? [];
    if (mark !== undefined && (fence === undefined || mark === fence)) {
      end();
      fence = fence === undefined ? mark : undefined;
    } else if (fence !== undefined || isFilledIn(line) || isErrorLine(line)) listed.push(line);
    else if (line === '') end();
    else paragraph += `${paragraph && ' '}${line}`;
  }
  end();
  return { prose, listed };
}

// Headings, tables, boxes to tick, `Node: 20.1`, tags, and lines that begin with a time or a level.
const filledIn =
  /^(?:#{1,6}\s|\||[-*] \[[ xX]\]|\*\*[^*]+\*\*:?$|<\/?\w|[-*]?\s*[\p{L} ]{1,30}: \S+(?: \S+){0,5}$|\[?\d{4}-\d\d-\d\d|\d\d:\d\d|(?:npm )?(?:INFO|DEBUG|WARN|TRACE)\b)/u;

function isFilledIn(line: string): boolean {
  return filledIn.test(line);
}

function isErrorLine(line: string): boolean {
  return errorPattern.test(line) || isStackTrace(line);
}

function namesIn(text: string): string[] {
  return [...new Set(text.match(/[\p{L}\p{N}_$]+/gu) ?? [])].filter(looksLikeIdentifier);
}

function firstWords(text: string, max: number): string {
  return text.split(/\s+/).slice(0, max).join(' ');
}

function wordCount(text: string): number {
  return text.match(/\S+/g)?.length ?? 0;
}
