import { type Context, createContext, Script } from 'node:vm';

/** How far counting may go. */
export interface MatchBounds {
  /** For all texts together. */
  readonly milliseconds: number;
  /** A text's matches are not counted beyond this. */
  readonly most: number;
}

const script = new Script('work()');
let context: Context | undefined;

/**
 * How often the expression matches in each text, or undefined when that takes longer than allowed: an expression from
 * outside may need more time than the universe has, and nothing else interrupts one while it runs.
 */
export function countMatchesWithin(
  expression: RegExp,
  texts: readonly string[],
  { milliseconds, most }: MatchBounds,
): number[] | undefined {
  const global = expression.global ? expression : new RegExp(expression, `${expression.flags}g`);
  // One for all calls, as making one takes longer than a call. No code from outside runs in it: it serves the clock.
  context ??= createContext({});
  let counts: number[] | undefined;
  context.work = () => {
    counts = texts.map((text) => countMatches(global, text, most));
  };
  try {
    script.runInContext(context, { timeout: Math.max(1, Math.ceil(milliseconds)) });
    return counts;
  } catch (error) {
    if (isTimeout(error)) return undefined;
    throw error;
  } finally {
    context.work = undefined;
  }
}

/** How often a global expression matches in a text, up to a bound; for expressions that are known to be quick. */
export function countMatches(expression: RegExp, text: string, most: number): number {
  expression.lastIndex = 0;
  // Most texts do not match, and asking only that is quicker.
  if (!expression.test(text)) return 0;
  expression.lastIndex = 0;
  let count = 0;
  // Goes on behind a match without length by a whole character, which `exec` in a loop would not.
  for (const _ of text.matchAll(expression)) {
    count += 1;
    if (count >= most) break;
  }
  return count;
}

// Not `instanceof Error`: it is an error of the other context.
function isTimeout(error: unknown): boolean {
  const isObject = typeof error === 'object' && error !== null;
  return isObject && 'code' in error && error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT';
}
