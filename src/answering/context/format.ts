import type { ContextFormat, ContextSource } from '../../core/context.ts';
import { citationOf } from '../../core/text/citation.ts';
import { neutralise, neutraliseName } from '../../core/text/neutralise.ts';

/** How the texts of a block become one text. */
interface Format {
  /** One source: its head and its text. */
  entry(source: ContextSource): string;
  /** Between two sources. */
  readonly between: string;
  /** The texts of documents as a whole. */
  data(entries: string): string;
  /** What stands around the data and is not from documents. */
  frame?(data: string, question: string): string;
}

/** The formats of context blocks. All that comes from documents is neutralised. */
export const formats: Readonly<Record<ContextFormat, Format>> = {
  context: {
    entry: (source) => `File: ${neutraliseName(source.uri)}${chunkNumbers(source)}\n${shownText(source)}`,
    between: '\n',
    data: (entries) => `[RETRIEVED CONTEXT]\n${entries}`,
  },
  memory: {
    entry: (source) => `[${memoryFacts(source).join(' | ')}]\n${shownText(source)}`,
    between: '\n\n',
    data: (entries) => `<working_memory>\n${entries}\n</working_memory>`,
  },
  sources: {
    entry: (source) => `[Source ${source.number}]\nTitle: ${titleOf(source)}\nContent: ${shownText(source)}`,
    between: '\n\n',
    data: (entries) => entries,
    frame: (data, question) =>
      `Context:\n${data}\n\nQuestion: ${question}\n\nInstructions:\n\n* Use only the above context.\n* Cite source numbers when appropriate.`,
  },
  markdown: {
    entry: (source) => {
      const fence = codeFence(source.text);
      const facts = [`Type: ${neutraliseName(source.type)}`, ...relevance(source)].join(' | ');
      const section = source.section === '' ? '' : `\n\n**${neutraliseName(source.section)}**`;
      return `### ${source.number}. ${whereabouts(source)}${section}\n\n${facts}\n\n${fence}\n${shownText(source)}\n${fence}`;
    },
    between: '\n\n',
    data: (entries) => `## Retrieved context\n\n${entries}`,
  },
};

function chunkNumbers({ chunks }: ContextSource): string {
  if (!chunks) return '';
  const [first, last] = chunks;
  return first === last ? ` (chunk ${first})` : ` (chunks ${first}-${last})`;
}

function memoryFacts(source: ContextSource): string[] {
  return [
    `Source: ${neutraliseName(source.uri)}`,
    `Type: ${neutraliseName(source.type)}`,
    ...relevance(source),
  ];
}

function relevance({ relevance: value }: ContextSource): string[] {
  return value === undefined ? [] : [`Relevance: ${value.toFixed(2)}`];
}

function titleOf({ title, section }: ContextSource): string {
  // The first heading is often the title itself.
  const isNamed = section === title || section.startsWith(`${title} > `);
  return neutraliseName(isNamed ? section : [title, section].filter((part) => part !== '').join(' > '));
}

function whereabouts({ uri, place }: ContextSource): string {
  return neutraliseName(place ? citationOf(uri, place) : uri);
}

/** What is shown of a source: signatures around it, and its text without the line ends before and after it. */
function shownText({ signatures, text }: ContextSource): string {
  const body = neutralise(text)
    .replace(/^(?:[ \t]*\n)+/, '')
    .trimEnd();
  return signatures === '' ? body : `${neutralise(signatures)}\n${body}`;
}

/** A fence that no line of the text can close. */
function codeFence(text: string): string {
  const longest = Math.max(2, ...(text.match(/`{3,}/g) ?? []).map(({ length }) => length));
  return '`'.repeat(longest + 1);
}
