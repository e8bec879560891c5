import type { z } from 'zod';
import { numberedParts } from '../../../core/text/left-out.ts';
import { neutralise, neutraliseLine } from '../../../core/text/neutralise.ts';
import type { readOperation } from '../../../operations/find/read.ts';
import type { ReadPlace } from '../../../operations/find/reading-schema.ts';
import { answerText, type Quoted, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { numbered } from '../numbered.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

/** Reads places, as they are shown or named. */
export const readTool: McpTool = {
  name: 'read',
  description:
    'Read places, several at once, as shown: src/a.ts:10-40, src/a.ts#Store.put, Store.put (a whole definition), "report.pdf, page 3". for: a question, of long texts only what answers. PDFs, mail and notebooks are text.',
  operation: 'read',
  fields: { places: undefined, for: undefined, max_tokens: undefined },
  unlisted: ['path', 'lines', 'symbol', 'chunk', 'neighbours', 'full'],
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
        ...([result, ...further].some(({ folded = [] }) => folded.length > 0)
          ? ['Folded lines are read as path:42-97, all of it with full.']
          : []),
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
  const parts = lines && numberedParts(text, lines, place.folded);
  const body = parts?.map((part) => (typeof part === 'string' ? part : numbered([part]))).join('\n') ?? text;
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
