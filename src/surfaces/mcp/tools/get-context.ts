import { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import type { contextOperation } from '../../../operations/find/context.ts';
import { answerText } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';
import { noteFields } from './with-notes.ts';

/** One block of everything that answers a question. */
export const getContextTool: McpTool = {
  name: 'get_context',
  title: 'Context for a question',
  description:
    'Get one block of text with everything the project says about a question, within max_tokens, ready to reason over: passages with their surroundings, each with path and lines. Use it for broad questions; use search to find a place.',
  operation: 'context',
  fields: {
    query: undefined,
    path: undefined,
    type: undefined,
    manual: undefined,
    max_tokens: 3000,
    top_k: 10,
  },
  required: ['query'],
  isOfProject: true,
  output: z.object({
    text: z.string().describe('The block; empty where nothing is relevant.'),
    sources: z.array(z.string()).describe('Places that the block shows, in its order.'),
    left: z.int().describe('Texts that did not fit.'),
    ...noteFields,
  }),
  async call(input, context) {
    const result = (await perform(context, 'context', input)) as z.output<typeof contextOperation.output>;
    const notes = notesOf(result.warnings);
    const { text, left } = result;
    // A block is cleaned, and stands between marks of its own.
    const nothing = isDisabled(result.warnings) ? [] : ['Nothing relevant found.'];
    const block = text === '' ? nothing : [text];
    return {
      data: { text, sources: result.sources.map(({ citation }) => citation), left, ...noteData(notes) },
      text: answerText([...block, ...noteParts(notes)]),
    };
  },
};
