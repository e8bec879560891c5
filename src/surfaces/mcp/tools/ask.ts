import type { z } from 'zod';
import { neutralise } from '../../../core/text/neutralise.ts';
import type { askOperation } from '../../../operations/find/ask.ts';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

/** Answers a question with checked citations. */
export const askTool: McpTool = {
  name: 'ask',
  description:
    'Get a short answer from the project with numbered sources (path and lines). Without a local model it quotes the best sentences. Use search or get_context to reason over the texts yourself.',
  operation: 'ask',
  fields: { question: undefined, path: undefined, type: undefined },
  isUnlisted: true,
  isOfProject: true,
  async call(input, context) {
    const result = (await perform(context, 'ask', input)) as z.output<typeof askOperation.output>;
    const { answer, kind, is_complete } = result;
    const sources = result.sources
      .filter(({ cited }) => cited)
      .map(({ number, citation }) => ({ number, citation }));
    const notes = notesOf(result.warnings);
    return {
      data: { answer: neutralise(answer), kind, is_complete, sources, ...noteData(notes) },
      text: answerText([
        quote([], answer),
        ...(sources.length > 0
          ? [quote(sources.map(({ number, citation }) => `[${number}] ${citation}`))]
          : []),
        ...noteParts(notes),
      ]),
    };
  },
};
