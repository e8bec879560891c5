import { type Context, createContext, Script } from 'node:vm';

/** Limits of counting. */
export interface MatchBounds {
  /** For all texts together. */
  readonly milliseconds: number;
  /** A text's matches are not counted beyond this. */
  readonly max: number;
}

const script = new Script('work()');
let context: Context | undefined;

/**
 * How often the expression matches in each text, in order, for as many texts as fit in the time. An expression from a user
 * may run practically forever, and nothing else can interrupt it.
 */
export function countMatchesWithin(
  expression: RegExp,
  texts: readonly string[],
  { milliseconds, max }: MatchBounds,
): number[] {
  const global = expression.global ? expression : new RegExp(expression, `${expression.flags}g`);
  // One context for all calls, because creating one takes longer than a call. No foreign code runs in it: it exists for
  // its time limit only.
  context ??= createContext({});
  const counts: number[] = [];
  context.work = () => {
    for (const text of texts) counts.push(countMatches(global, text, max));
  };
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) });
  } catch (error) {
    if (!isTimeout(error)) throw error;
  } finally {
    context.work = undefined;
  }
  return counts;
}

/** How often a global expression matches in a text, up to a bound; for expressions that are known to be fast. */
export function countMatches(expression: RegExp, text: string, max: number): number {
  expression.lastIndex = 0;
  // Most texts do not match, and testing that is faster.
  if (!expression.test(text)) return 0;
  expression.lastIndex = 0;
  let count = 0;
  // After an empty match it advances by a whole character, which `exec` in a loop would not do.
  for (const _ of text.matchAll(expression)) {
    count += 1;
    if (count >= max) break;
  }
  return count;
}

// Not `instanceof Error`: it is an error of the other context.
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
