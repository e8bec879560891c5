import type { ContextFormat, ContextOutcome, ContextText } from '../../core/context.ts';
import { asQuarryError, type QuarryError } from '../../core/errors.ts';
import { cutToFit } from '../../core/text/cut-to-fit.ts';
import type { ContextParts, ContextRequest, FoundTexts } from '../answer-parts.ts';
import { buildBlock } from './build-block.ts';
import { textOfHit, textOfPassage } from './texts-found.ts';

/** Surroundings that each format shows by default: the designs it comes from show chunks, or chunks stitched together. */
const defaultNeighbours: Readonly<Record<ContextFormat, number>> = {
  context: 0,
  memory: 0,
  sources: 1,
  markdown: 1,
};

/** Tokens of one text with its surroundings, so that a long definition does not take the place of other texts. */
const maxPassageLength = 1024;

/** Searches, and writes what passes the threshold as one block. */
export async function writeContext(
  parts: ContextParts,
  query: string,
  options: ContextRequest = {},
  /** What is asked, where that is not what is searched for. */
  question = query,
  /** Whether of the files that are named only the beginnings count, as many of them as there is room for. */
  beginnings = false,
): Promise<ContextOutcome> {
  const { format = 'context', manual = [], maxTokens, neighbours, fence = true, ...search } = options;
  const room = maxTokens ?? parts.maxTokens;
  const around = neighbours ?? defaultNeighbours[format];
  const outcome = await parts.search(query, {
    threshold: parts.threshold,
    ...search,
    byDocument: false,
    ...(around > 0 && {
      window: { neighbours: around, totalTokens: room, passageTokens: Math.min(room, maxPassageLength) },
    }),
  });
  const whole = manual.length > 0 ? await parts.namedFiles(manual, search.signal, beginnings) : [];
  const countTokens = await parts.tokenCounter();
  const fits = (text: string): boolean => countTokens(text) <= room / (whole.length + 1);
  const named = whole.map((text) =>
    beginnings && !fits(text.text) ? { ...text, text: cutToFit(text.text, fits) } : text,
  );
  const block = buildBlock([...named, ...textsOf(outcome)], {
    format,
    question,
    maxTokens: room,
    countTokens,
    fence,
  });
  const { warnings, pending, indexed, firstLook } = outcome;
  return { ...block, warnings, pending, ...(indexed && { indexed }), ...(firstLook && { firstLook }) };
}

function textsOf({ hits, passages }: FoundTexts): ContextText[] {
  return passages ? passages.map(textOfPassage) : hits.map(textOfHit);
}

/** The prompt after what was retrieved for it; as it is where there is nothing, or where the index cannot answer. */
export async function injectInto(
  prompt: string,
  context: () => Promise<ContextOutcome>,
  warn: (warning: QuarryError) => void,
): Promise<string> {
  try {
    const { text, warnings } = await context();
    for (const warning of warnings) warn(warning);
    return text === '' ? prompt : `${text}\n\n${prompt}`;
  } catch (thrown) {
    const error = asQuarryError(thrown);
    // A prompt does not fail with the index: what is broken there is reported, and the prompt does without it.
    if (!error.code.startsWith('store-') && !['lock-lost', 'machine-failed'].includes(error.code))
      throw error;
    warn(error);
    return prompt;
  }
}
