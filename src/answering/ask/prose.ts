/** Directives of reStructuredText whose body is no prose. */
const noProse =
  /^(?:.*code.*|literalinclude|parsed-literal|test.*|doctest|prompt|math|image|figure|toctree|.*table|raw|include|auto.*|graphviz|mermaid|plot|contents|highlight|currentmodule|module|click|argparse|video|youtube|jsonschema)$/i;

const blockMark = {
  fence: /^(`{3,}|~{3,})/,
  /** What headings are underlined with, and what separates sections. */
  rule: /^([=\-~^"'`#*+.:_])\1{2,}$/,
  directive: /^\.\. ([\w:+.-]+)::(?:\s+(.*))?$/,
  /** Targets, comments and footnotes of reStructuredText. */
  hidden: /^\.\.(?:\s|$)/,
  /** An option of a directive; a role is followed by a backtick. */
  option: /^:[\w-]+:(?:\s|$)/,
  /** Headings, tables, containers, lines of tags, and what was left out of a passage. */
  other: /^(?:#{1,6}\s.*|\|.*|\+[-=+]{3,}|:{3,}.*|<.*>|\[…\]|>>>.*|\$ .*)$/,
  item: /^(?:[-*+>•]|\d{1,3}[.)]|#\.)\s+/,
};

/** Fields of e-mail, and the line that begins a message in a mailbox. */
const field =
  /^(?:\*\*)?(?:from|to|cc|bcc|date|sent|subject|sender|reply-to|message-id|in-reply-to|references|return-path|received|delivered-to|mime-version|content-[\w-]{1,40}|list-[\w-]{1,40}|x-[\w-]{1,40})(?:\*\*)?:|^From \S+ .*\d{4}/i;

/** The text without the blocks of fields that messages begin with: at its beginning, and wherever two stand together. */
export function withoutHeaders(text: string): string {
  const lines = text.split('\n');
  const isField = lines.map((line) => field.test(line.trim()));
  let isInside = false;
  const kept = lines.filter((line, at) => {
    const isNew = isField[at] && (at === 0 || isField[at - 1] || isField[at + 1]);
    // A field continues in lines that are set in.
    isInside = Boolean(isNew) || (isInside && /^[ \t]+\S/.test(line));
    return !isInside;
  });
  return kept.join('\n');
}

/** A paragraph with the heading that it stands below; empty before the first. */
export interface Paragraph {
  readonly text: string;
  readonly heading: string;
}

/**
 * What people wrote as sentences in a text of Markdown or reStructuredText: its paragraphs and items of lists, each in one
 * line and else as it stands there. Headings, code, tables and directives are left out.
 */
export function paragraphsOf(text: string): Paragraph[] {
  const paragraphs: Paragraph[] = [];
  let heading = '';
  let open: string[] = [];
  /** The fence that the code began with. */
  let fence: string | undefined;
  /** Lines with a larger indentation belong to something that is no prose. */
  let leftOut: number | undefined;
  /** The indentation of an open line that may be a term, which its definition follows. */
  let term: number | undefined;
  const close = (): void => {
    if (open.length > 0) paragraphs.push({ text: open.join(' '), heading });
    open = [];
  };
  for (const line of text.split('\n')) {
    const content = line.trim();
    const indentation = line.length - line.trimStart().length;
    if (fence !== undefined) {
      if (content.startsWith(fence) && content.replaceAll(fence[0] ?? '', '') === '') fence = undefined;
      continue;
    }
    if (content === '') {
      close();
      term = undefined;
      continue;
    }
    if (leftOut !== undefined && indentation > leftOut) continue;
    leftOut = undefined;
    if (isUnderline(content, open.at(-1))) {
      const title = open.pop() ?? '';
      close();
      heading = title;
      continue;
    }
    const [, opening] = blockMark.fence.exec(content) ?? [];
    const [, directive, argument] = blockMark.directive.exec(content) ?? [];
    if (opening !== undefined) {
      close();
      fence = opening;
    } else if (directive !== undefined) {
      close();
      if (noProse.test(directive)) leftOut = indentation;
      else if (argument) open.push(argument);
      term = undefined;
    } else if (blockMark.hidden.test(content)) {
      close();
      leftOut = indentation;
    } else if (isNoProse(content)) {
      close();
      heading = /^#{1,6}\s+(.*)$/.exec(content)?.[1] ?? heading;
    } else {
      const isItem = blockMark.item.test(content);
      if (isItem || (term !== undefined && indentation > term)) close();
      term = open.length === 0 && !isItem ? indentation : undefined;
      open.push(content.replace(blockMark.item, ''));
      if (content.endsWith('::')) {
        close();
        leftOut = indentation;
      }
    }
  }
  close();
  return paragraphs;
}

/** A row of marks below a title; marks that have other uses too are as many as the title has letters. */
function isUnderline(content: string, title: string | undefined): boolean {
  const [, mark] = blockMark.rule.exec(content) ?? [];
  return mark !== undefined && title !== undefined && (/[=-]/.test(mark) || content.length >= title.length);
}

function isNoProse(content: string): boolean {
  return blockMark.rule.test(content) || blockMark.option.test(content) || blockMark.other.test(content);
}

/** Markup inside a sentence that a person has to read around: roles, targets, addresses, bold, substitutions. */
const noise = /:[\w:+.-]{1,60}:`|<[^>]{0,200}>`|\]\([^)]{0,300}\)|\*\*|\|[\w-]+\||https?:\/\/|::|[{}\\]/g;
/** Marks that sentences have few of and code has many of. */
const symbols = /[{}()[\]=<>;|\\$@#*_]/g;
/** The share of such marks from which on a text is code. */
const codeFrom = 0.08;
/** What each fault takes from how well a sentence reads. */
const perFault = 0.85;
const maxNoise = 3;

/** Markup of prose, which no code is told by: the address of a link, bold. */
const proseMarkup = /(?<=\[[^\]]{0,300}\])\([^)]{0,500}\)|\*\*|__/g;

/** Whether a text has words in a row, and not the marks of code, but for names in backticks and the markup of links and bold. */
export function isProse(text: string): boolean {
  const written = text.replace(/`[^`]*`/g, '').replace(proseMarkup, '');
  return (
    /\p{L}[,;]?\s+\p{L}+[,;]?\s+\p{L}/u.test(text) &&
    (written.match(symbols)?.length ?? 0) < codeFrom * text.length
  );
}

/** How well a sentence reads by itself, up to 1: with little markup inside, from its beginning to its end. */
export function readability(sentence: string): number {
  const marks = Math.min(maxNoise, sentence.match(noise)?.length ?? 0);
  const isCutBefore = /^(?:\p{Ll}|[,;:)])/u.test(sentence);
  const isWithoutEnd = !/[.!?…。！？]["'”’)\]*_`]*$/u.test(sentence);
  return perFault ** (marks + Number(isCutBefore) + 2 * Number(isWithoutEnd));
}
