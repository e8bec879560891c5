/** Where a secret lies in a text, in UTF-16 positions, and the rule that found it. */
export interface SecretSpan {
  readonly start: number;
  readonly end: number;
  readonly rule: string;
}

/** The range of characters to hide. */
export type SecretRange = Pick<SecretSpan, 'start' | 'end'>;

/** One way to recognise a secret: anchors say where to look, the pattern says whether it is one. */
export interface SecretRule {
  readonly name: string;
  /**
   * Sources of short patterns that cost little to look for; `pattern` is tried where one of them begins. Each starts
   * with a plain character or with a class of plain characters.
   */
  readonly anchors: readonly string[];
  /**
   * Sticky and with indices (`dy`). The secret is what its groups cover together, or the whole match if it has none.
   * Every repetition is bounded, so that the work at one anchor is bounded too.
   */
  readonly pattern: RegExp;
  /** Whether the matched text can be a real secret rather than a placeholder; always, when absent. */
  readonly accepts?: (secret: string) => boolean;
  /** Finds the secret from the match, where the pattern alone cannot decide its end. */
  readonly locate?: (text: string, match: RegExpExecArray) => SecretRange | undefined;
}

/** The source of an anchor that is looked for in any mixture of upper and lower case. */
export function anyCase(word: string): string {
  return word.replace(/[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

/** Applies one rule at one position of a text. */
export function applyRule(rule: SecretRule, text: string, at: number): SecretSpan | undefined {
  rule.pattern.lastIndex = at;
  const match = rule.pattern.exec(text);
  if (match === null) return undefined;
  const range = rule.locate ? rule.locate(text, match) : coveredByGroups(match);
  if (range === undefined || range.end <= range.start) return undefined;
  if (rule.accepts && !rule.accepts(text.slice(range.start, range.end))) return undefined;
  return { ...range, rule: rule.name };
}

function coveredByGroups(match: RegExpExecArray): SecretRange | undefined {
  const [whole, ...groups] = match.indices ?? [];
  const covered = groups.filter((group) => group !== undefined);
  const ranges = covered.length > 0 ? covered : whole ? [whole] : [];
  if (ranges.length === 0) return undefined;
  return {
    start: Math.min(...ranges.map(([start]) => start)),
    end: Math.max(...ranges.map(([, end]) => end)),
  };
}
