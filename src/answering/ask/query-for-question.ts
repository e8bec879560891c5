import type { Message } from '../../contracts/generator.ts';
import { interrupted } from '../../core/errors.ts';
import type { OpenGenerator } from '../answer-parts.ts';

/**
 * What is searched for to answer a question. Rules put one that leans on the conversation behind what it leans on; a model
 * that has time to writes it as one that stands alone, unless it fails, takes longer or invents.
 */
export async function queryFor(
  question: string,
  history: readonly Message[],
  generator: OpenGenerator | undefined,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<string> {
  const { leansOnOthers, rewriteQuery } = await import('./rewrite-query.ts');
  if (history.length === 0 || !leansOnOthers(question)) return question;
  const byModel =
    generator && seconds > 0 ? await rewritten(question, history, generator, seconds, signal) : undefined;
  return byModel ?? rewriteQuery(question, history);
}

async function rewritten(
  question: string,
  history: readonly Message[],
  generator: OpenGenerator,
  seconds: number,
  signal: AbortSignal | undefined,
): Promise<string | undefined> {
  const { acceptRewrite, rewritePrompt, rewriteTokens } = await import('./rewrite-by-model.ts');
  try {
    const model = await generator.open();
    let written = '';
    // Opening is not counted: the answer waits for it anyway.
    const limit = AbortSignal.timeout(seconds * 1000);
    const options = {
      maxTokens: rewriteTokens,
      temperature: 0,
      signal: AbortSignal.any([limit, ...(signal ? [signal] : [])]),
    };
    for await (const piece of model?.generate(rewritePrompt(question, history), options) ?? [])
      written += piece;
    return acceptRewrite(written, question, history);
  } catch {
    // The answer is asked of the same model next, and says why it fails.
    if (signal?.aborted) throw interrupted(signal.reason);
    return undefined;
  }
}
