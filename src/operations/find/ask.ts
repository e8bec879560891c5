import { z } from 'zod';
import { answerKinds, diskStates, verdicts } from '../../core/answer.ts';
import { requireQuery } from '../../core/query.ts';
import { searchFields, tokensSchema } from '../../core/search-options.ts';
import { defineOperation } from '../operation.ts';
import { sourceOf, sourceSchema } from './context-source.ts';
import { filterFields } from './filter-input.ts';
import { answerUpdated, searchOptionsOf, stateFields, stateOf, updateField } from './retrieval.ts';

const turnSchema = z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string().max(100_000) });

/** Answers a question from the project, with checked citations. */
export const askOperation = defineOperation({
  effect: 'reads',
  reach: 'project',
  takesSeveral: {},
  positionals: ['question'],
  shortFlags: { top_k: 'k' },
  // A conversation.
  maxInputSize: 4 * 1024 * 1024,
  input: z.strictObject({
    question: z.string().max(100_000).describe('A question in plain words.'),
    history: z
      .union([z.array(turnSchema).max(200), z.string().transform(parseHistory)])
      .default([])
      .describe(
        'Earlier turns, oldest first: `[{"role": "user", "content": "…"}, {"role": "assistant", "content": "…"}]`.',
      ),
    top_k: searchFields.top_k.optional().describe('Texts to retrieve (search.top_k).'),
    ...filterFields,
    threshold: searchFields.threshold
      .optional()
      .describe('Minimum relevance of a source (context.threshold).'),
    max_tokens: tokensSchema
      .optional()
      .describe('Tokens of the sources that a model is shown (context.max_tokens).'),
    manual: z
      .array(z.string().min(1))
      .default([])
      .describe('A file of the project to use as the first source; may be repeated.'),
    generate: z
      .boolean()
      .default(true)
      .describe(
        'Have a model write the answer, where there is one; otherwise the best sentences are quoted.',
      ),
    retrieve: z
      .boolean()
      .default(true)
      .describe('Answer from the project; otherwise a model answers by itself, without sources.'),
    update: updateField,
  }),
  output: z.object({
    question: z.string(),
    query: z.string().describe('What was searched for: the question, with what it leans on.'),
    answer: z
      .string()
      .describe('The text. Numbers in brackets are sources; sentences that no source supports are marked.'),
    kind: z.enum(answerKinds).describe('Written by a model, quoted from the sources, or not in the corpus.'),
    model: z.string().optional().describe('The model that wrote it.'),
    is_complete: z.boolean().describe('Whether the answer came to its end.'),
    sources: z
      .array(
        sourceSchema.extend({
          cited: z.boolean().describe('Whether a sentence rests on it.'),
          on_disk: z.enum(diskStates).describe('Whether the file holds the text now.'),
        }),
      )
      .describe('Those that sentences rest on first.'),
    sentences: z
      .array(
        z.object({
          text: z.string(),
          cited: z.array(z.int()).describe('Sources that it cites.'),
          supported_by: z.array(z.int()).describe('Sources that have what it says, the best first.'),
          support: z.number().min(0).max(1).describe('Share of its words that a source has close together.'),
          verdict: z.enum(verdicts),
        }),
      )
      .describe('What was found out about each sentence.'),
    ...stateFields,
  }),
  examples: [
    { input: { question: 'how are passwords hashed?' }, explains: 'an answer with its sources' },
    {
      input: { question: 'what was agreed about the launch?', type: ['email'] },
      explains: 'from e-mail only',
    },
    { input: { question: 'how is a lock taken?', generate: false }, explains: 'quotes, without a model' },
  ],
  events: async () => (await import('../../core/events.ts')).answerEventSchema,
  leavesWork: ({ pending, first_look }) => pending > 0 || first_look !== undefined,
  async *run(project, input, options) {
    requireQuery(input.question);
    const choices = searchOptionsOf(input);
    // A model that answers by itself needs no index.
    const update = input.retrieve ? input.update : false;
    const outcome = yield* answerUpdated(
      project,
      { update, question: input.question, ...choices },
      options,
      (asIs) =>
        project.ask(input.question, {
          ...choices,
          history: input.history,
          manual: input.manual,
          generate: input.generate,
          retrieve: input.retrieve,
          ...(input.max_tokens !== undefined && { maxTokens: input.max_tokens }),
          ...asIs,
        }),
    );
    const { query, answer, kind, model, isComplete, sources, sentences } = outcome;
    return {
      question: input.question,
      query,
      answer,
      kind,
      ...(model !== undefined && { model }),
      is_complete: isComplete,
      sources: sources.map((source) => ({
        ...sourceOf(source),
        cited: source.isCited,
        on_disk: source.onDisk,
      })),
      sentences: sentences.map(({ text, cited, supportedBy, support, verdict }) => ({
        text,
        cited: [...cited],
        supported_by: [...supportedBy],
        support,
        verdict,
      })),
      ...stateOf(outcome),
    };
  },
});

/** A conversation as a person passes it to a command. */
function parseHistory(text: string, context: z.RefinementCtx): z.output<typeof turnSchema>[] {
  try {
    return z.array(turnSchema).max(200).parse(JSON.parse(text));
  } catch {
    // Why it is none is of no help to its writer.
    context.addIssue({ code: 'custom', message: 'is not a JSON list of turns' });
    return z.NEVER;
  }
}
