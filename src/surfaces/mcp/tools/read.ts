import type { z } from 'zod';
import { neutralise } from '../../../core/text/neutralise.ts';
import { readOperation } from '../../../operations/find/read.ts';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';
import { withNotes } from './with-notes.ts';

/** Reads a stretch of one file. */
export const readTool: McpTool = {
  name: 'read',
  title: 'Read a file of the project',
  description:
    'Read lines of a file (path: src/a.ts, lines: 10-40), a whole definition by its name (symbol), or a chunk of a search result. Stays within max_tokens; next says which lines to read on with. Reads the index: secrets are blacked out, PDFs and mail are text.',
  operation: 'read',
  fields: {
    path: undefined,
    lines: undefined,
    symbol: undefined,
    chunk: undefined,
    neighbours: undefined,
    max_tokens: 4000,
  },
  isOfProject: true,
  output: withNotes(
    readOperation.output.pick({
      path: true,
      lines: true,
      text: true,
      next: true,
      total_lines: true,
      others: true,
    }),
  ),
  async call(input, context) {
    const result = (await perform(context, 'read', input)) as z.output<typeof readOperation.output>;
    const { path, lines, text, next, total_lines, others, warnings, citation } = result;
    const notes = notesOf(warnings);
    const also = others.map((other) => `${other.citation}: ${other.signature}`);
    const rest = result.is_cut ? ['Cut here; read on with:', quote([next ?? 'more max_tokens'])] : [];
    return {
      data: {
        path,
        ...(lines && { lines }),
        text: neutralise(text),
        ...(next !== undefined && { next }),
        total_lines,
        others,
        ...noteData(notes),
      },
      text: answerText([
        quote([`${citation} of ${total_lines} lines`], text),
        ...rest,
        ...(also.length > 0 ? ['Also defined at:', quote(also)] : []),
        ...noteParts(notes),
      ]),
    };
  },
};
