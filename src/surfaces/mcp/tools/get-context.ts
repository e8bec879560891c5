import type { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import { relevanceWord } from '../../../core/relevance.ts';
import type { contextOperation } from '../../../operations/find/context.ts';
import { answerText } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

/**
 * Relevance from which a text is shown. A prompt gets only what is possible; who asks for context has a budget for it, and is better
 * served with what is nearest, best first, than with nothing.
 */
const nearestFrom = 0.03;

/** One block of everything that answers a question. */
export const getContextTool: McpTool = {
  name: 'get_context',
  description:
    'Get one block with everything the project says about a broad question, within max_tokens (3000): passages with their surroundings, path and lines. To find a place, search. manual: files to show first.',
  operation: 'context',
  fields: {
    query: undefined,
    path: undefined,
    type: undefined,
    manual: undefined,
    max_tokens: 3000,
  },
  unlisted: ['top_k'],
  required: ['query'],
  isOfProject: true,
  async call(input, context) {
    const wide = { threshold: nearestFrom, window: 1, top_k: 10, ...input };
    const result = (await perform(context, 'context', wide)) as z.output<typeof contextOperation.output>;
    const notes = notesOf(result.warnings);
    const { text, left } = result;
    // A block is cleaned, and stands between marks of its own.
    const nothing = isDisabled(result.warnings) ? [] : ['Nothing relevant found.'];
    const isWeak = result.sources.every(({ relevance = 1 }) => relevanceWord(relevance) === 'weak');
    const block =
      text === ''
        ? nothing
        : [text, ...(isWeak ? ['Nothing matches strongly: these are the nearest texts.'] : [])];
    return {
      data: { text, sources: result.sources.map(({ citation }) => citation), left, ...noteData(notes) },
      text: answerText([...block, ...noteParts(notes)]),
    };
  },
};
