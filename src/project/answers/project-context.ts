import type { ContextFormat, ContextText } from '../../core/context.ts';
import type { QuarryError } from '../../core/errors.ts';
import { cutToFit } from '../../core/text/cut-to-fit.ts';
import type { OptionsOf } from '../call-options.ts';
import type { ContextOutcome, Project, SearchOutcome } from '../project.ts';
import { manualTexts, type ReadingOfProject } from './manual-texts.ts';

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
export async function contextOf(
  project: Pick<Project, 'search' | 'settings'>,
  files: ReadingOfProject,
  query: string,
  options: OptionsOf<'context'> = {},
  /** What is asked, where that is not what is searched for. */
  question = query,
  /** Whether of the files that are named only the beginnings count, as many of them as there is room for. */
  beginnings = false,
): Promise<ContextOutcome> {
  const { format = 'context', manual = [], maxTokens, neighbours, fence = true, ...search } = options;
  const { context } = project.settings;
  const room = maxTokens ?? context.max_tokens;
  const around = neighbours ?? defaultNeighbours[format];
  const outcome = await project.search(query, {
    threshold: context.threshold,
    ...search,
    byDocument: false,
    ...(around > 0 && {
      window: { neighbours: around, totalTokens: room, passageTokens: Math.min(room, maxPassageLength) },
    }),
  });
  const whole = manual.length > 0 ? await manualTexts(files, manual, search.signal, beginnings) : [];
  const { buildBlock } = await import('../../answering/context/build-block.ts');
  const { bundledTokenizer } = await import('../../models/tokenizers/bundled.ts');
  const tokenizer = await bundledTokenizer();
  const countTokens = (text: string): number => tokenizer.encode(text).length;
  const fits = (text: string): boolean => countTokens(text) <= room / (whole.length + 1);
  const named = whole.map((text) =>
    beginnings && !fits(text.text) ? { ...text, text: cutToFit(text.text, fits) } : text,
  );
  const block = buildBlock([...named, ...(await textsOf(outcome))], {
    format,
    question,
    maxTokens: room,
    countTokens,
    fence,
  });
  const { warnings, pending, indexed } = outcome;
  return { ...block, warnings, pending, ...(indexed && { indexed }) };
}

async function textsOf({ hits, passages }: SearchOutcome): Promise<ContextText[]> {
  const { textOfHit, textOfPassage } = await import('../../answering/context/texts-found.ts');
  return passages ? passages.map(textOfPassage) : hits.map(textOfHit);
}

/** The prompt after what was retrieved for it; as it is where there is nothing, or where the index cannot answer. */
export async function injectInto(
  prompt: string,
  context: () => Promise<ContextOutcome>,
  warn: (warning: QuarryError) => void,
): Promise<string> {
  const { asQuarryError } = await import('../../core/errors.ts');
  try {
    const { text, warnings } = await context();
    for (const warning of warnings) warn(warning);
    return text === '' ? prompt : `${text}\n\n${prompt}`;
  } catch (thrown) {
    const error = asQuarryError(thrown);
    // A prompt does not fail with the index: what is broken there is said, and the prompt goes on without it.
    if (!error.code.startsWith('store-') && error.code !== 'machine-failed') throw error;
    warn(error);
    return prompt;
  }
}
