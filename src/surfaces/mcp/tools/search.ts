import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { isDisabled } from '../../../core/failures/project-disabled.ts';
import { neutralise } from '../../../core/text/neutralise.ts';
import { passageSchema, type searchOperation } from '../../../operations/find/search.ts';
import { answerText, quote } from '../fence.ts';
import { type Notes, noteData, noteParts, notesOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool, ToolContext } from '../tool.ts';
import { noteFields } from './with-notes.ts';

type Result = z.output<typeof searchOperation.output>;

/** Milliseconds after which a search that waits for the model is answered from words alone. */
const modelPatience = 4_000;
/** Milliseconds that a search waits for the first text of a project that is being indexed. */
const firstTextPatience = 15_000;
const firstTextEvery = 500;

/** Finds passages. */
export const searchTool: McpTool = {
  name: 'search',
  title: 'Search the project',
  description:
    'Find the code or text that answers a question. Ask in plain words (how are sessions expired?), or give an identifier or an error message. Returns the best passages with path and lines, and the places of other files; read those, or raise max_tokens to see more at once. Prefer this over grep and over reading whole files.',
  operation: 'search',
  fields: {
    query: undefined,
    path: undefined,
    language: undefined,
    type: undefined,
    since: undefined,
    route: undefined,
    top_k: 8,
    max_tokens: 250,
  },
  isOfProject: true,
  output: z.object({
    passages: z.array(
      passageSchema
        .pick({ path: true, lines: true, section: true, relevance: true, text: true })
        .extend({ citation: z.string().optional().describe('The place, where it is not given in lines.') }),
    ),
    more: z
      .array(z.string())
      .optional()
      .describe('Files whose text did not fit: the best place of each, and the name of what is there.'),
    ...noteFields,
  }),
  async call(input, context) {
    const { result, isFromWords } = await searchAtOnce(input, context);
    const passages = result.passages ?? [];
    const more = placesElsewhere(result);
    const notes = notesOf(result.warnings);
    if (isFromWords) notes.notes.push('The model is still loading: this answer is from words alone.');
    const data = {
      passages: passages.map(({ path, lines, section, relevance, text, citation }) => ({
        path,
        ...(lines ? { lines } : { citation }),
        section,
        relevance: Math.round(relevance * 100) / 100,
        text: neutralise(text),
      })),
      ...(more.length > 0 && { more }),
      ...noteData(notes),
    };
    return { data, text: textOf(passages, more, notes, isDisabled(result.warnings)) };
  },
};

/** The best place of each file of which no passage is shown: what else there is to read, in few words. */
function placesElsewhere({ hits, passages = [] }: Result): string[] {
  const seen = new Set(passages.map(({ path }) => path));
  const places: string[] = [];
  for (const { path, citation, symbol } of hits) {
    if (seen.has(path)) continue;
    seen.add(path);
    places.push(symbol ? `${citation} ${symbol.name}` : citation);
  }
  return places;
}

function textOf(
  passages: NonNullable<Result['passages']>,
  more: readonly string[],
  notes: Notes,
  isOff: boolean,
): string {
  // Notes of a project that holds nothing say why.
  const nothing = isOff ? [] : ['Nothing found.'];
  if (passages.length === 0) return answerText([...nothing, ...noteParts(notes)]);
  const blocks = passages.map(({ citation, section, text }) =>
    quote([`${citation}${section ? ` (${section})` : ''}`], text),
  );
  const rest = more.length > 0 ? ['Also:', quote([more.join('; ')])] : [];
  return answerText([...blocks, ...rest, ...noteParts(notes)]);
}

/** Answers soon: from words alone while the model loads, and from what there is while the first index is made. */
async function searchAtOnce(
  input: object,
  context: ToolContext,
): Promise<{ readonly result: Result; readonly isFromWords: boolean }> {
  const until = performance.now() + firstTextPatience;
  for (;;) {
    // Texts are chosen chunk by chunk; a line for each other file would cost a tenth more tokens.
    const found = await searchOnce({ ...input, by_document: false }, context);
    const isBegun = found.result.hits.length > 0 || !found.result.warnings.some(isUnfinished);
    if (isBegun || performance.now() > until) return found;
    context.report({ phase: 'reading', text: 'Waiting for the first files', done: 0, unit: '' });
    await sleep(firstTextEvery, undefined, { signal: context.signal });
  }
}

function isUnfinished({ code }: { readonly code: string }): boolean {
  return code === 'store-busy' || code === 'index-stale';
}

async function searchOnce(input: object, context: ToolContext) {
  const stop = new AbortController();
  const signal = AbortSignal.any([context.signal, stop.signal]);
  const whole = perform(context, 'search', input, signal).then((result) => ({
    result: result as Result,
    isFromWords: false,
  }));
  const usesModel = !('route' in input) || ['hybrid', 'dense'].includes(String(input.route));
  // Where words answer sooner, nobody waits for the other answer any more.
  whole.catch(() => undefined);
  try {
    const soon = usesModel ? sleep(modelPatience, undefined, { signal, ref: false }) : whole;
    const first = await Promise.race([whole, soon]);
    if (first) return first;
    const words = await Promise.race([whole, fromWords(input, context, signal)]);
    // What words do not find may be in a file that is being read at this moment.
    return words.result.hits.length > 0 ? words : await whole;
  } finally {
    stop.abort();
  }
}

async function fromWords(input: object, context: ToolContext, signal: AbortSignal) {
  const result = await perform(context, 'search', { ...input, route: 'text', update: false }, signal);
  return { result: result as Result, isFromWords: true };
}
