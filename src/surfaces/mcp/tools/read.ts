import type { z } from 'zod';
import { neutralise, neutraliseLine } from '../../../core/text/neutralise.ts';
import type { ReadPlace, readOperation } from '../../../operations/find/read.ts';
import { answerText, type Quoted, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { numbered } from '../numbered.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

/** Reads places, as they are shown or named. */
export const readTool: McpTool = {
  name: 'read',
  description:
    'Read places, several at once, each as it was shown: src/a.ts:10-40, src/a.ts#Store.put, Store.put (a whole definition), src/a.ts, "report.pdf, page 3". max_tokens for all. Reads the index: PDFs, mail and notebooks are text.',
  operation: 'read',
  fields: { places: undefined, max_tokens: undefined },
  unlisted: ['path', 'lines', 'symbol', 'chunk', 'neighbours'],
  isOfProject: true,
  async call(input, context) {
    const result = (await perform(context, 'read', input)) as z.output<typeof readOperation.output>;
    const { warnings, further = [], failed = [] } = result;
    const notes = notesOf(warnings);
    const unread = failed.map(({ message, remedy }) => `${message} ${remedy}`);
    return {
      data: {
        ...dataOf(result),
        ...(further.length > 0 && { further: further.map(dataOf) }),
        ...(unread.length > 0 && { failed: unread }),
        ...noteData(notes),
      },
      text: answerText([
        ...[result, ...further].flatMap(partsOf),
        ...(unread.length > 0 ? ['Not read:', quote(unread)] : []),
        ...noteParts(notes),
      ]),
    };
  },
};

function dataOf({ path, citation, lines, text, next, total_lines, facts, outline, others }: ReadPlace) {
  return {
    path,
    ...(lines ? { lines } : { citation }),
    text: neutralise(text),
    ...(next !== undefined && { next }),
    total_lines,
    ...(facts !== undefined && { facts: neutraliseLine(facts) }),
    ...(outline && { outline: outline.map((entry) => neutraliseLine(entryLine(entry))) }),
    ...(others.length > 0 && { others }),
  };
}

function entryLine({ depth, citation, signature, name }: NonNullable<ReadPlace['outline']>[number]): string {
  return `${' '.repeat(depth)}${citation} ${signature || name}`;
}

function partsOf(place: ReadPlace): (string | Quoted)[] {
  const { citation, total_lines: total, text, lines, others, next, path } = place;
  const isVerbatim = lines !== undefined && lines[1] - lines[0] + 1 === text.split('\n').length;
  const body = isVerbatim ? numbered([{ line: lines[0], text }]) : text;
  const also = others.map((other) => `${other.citation}: ${other.signature}`);
  return [
    quote([`${citation} of ${total} lines`], body),
    ...(place.facts ? [quote([place.facts])] : []),
    ...(place.outline ? ['The rest of it has:', quote(place.outline.map(entryLine))] : []),
    ...(place.is_cut
      ? ['Cut here; read on with:', quote([next ? `${path}:${next}` : 'more max_tokens'])]
      : []),
    ...(also.length > 0 ? ['Also defined at:', quote(also)] : []),
  ];
}
