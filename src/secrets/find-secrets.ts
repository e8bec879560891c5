import { assignmentRule } from './assignment-rule.ts';
import { commandRules, rareCommandRules } from './command-rules.ts';
import { credentialRules } from './credential-rules.ts';
import { keyRules } from './key-rules.ts';
import { labelRule } from './label-rule.ts';
import { longRuns } from './long-runs.ts';
import { runRules, valueIn } from './run-rules.ts';
import { applyRule, type SecretRange, type SecretRule, type SecretSpan } from './secret-rule.ts';
import { tokenRules } from './token-rules.ts';

const contextRules: readonly SecretRule[] = [
  ...keyRules,
  ...credentialRules,
  ...commandRules,
  assignmentRule,
];
const rareRules: readonly SecretRule[] = [...rareCommandRules, labelRule];

/** All rules, the most specific first: where findings overlap, the first rule gives its name. */
export const secretRules: readonly SecretRule[] = [
  ...keyRules,
  ...tokenRules,
  ...credentialRules,
  ...commandRules,
  ...rareRules,
  assignmentRule,
];

/** The names of all rules, in the same order; those that judge a run by its appearance come last. */
export const ruleNames: readonly string[] = [...secretRules, ...runRules].map(({ name }) => name);

/** Finds every secret in a text, in order and without overlaps, in time linear in its length. */
export function findSecrets(text: string): readonly SecretSpan[] {
  const found: SecretSpan[] = [];
  scanContexts(text, 0, text.length, found);
  scanRare(text, 0, text.length, found);
  // The many token formats are only looked for where a token could stand: this is what keeps ordinary text cheap.
  for (const run of longRuns(text)) {
    const before = found.length;
    scanTokens(text, Math.max(0, run.start - tokenLead), run.end, found);
    // Appearance is the last resort: a rule that knows the form is more precise.
    if (found.length === before) judgeRun(text, run, found);
  }
  return mergeSpans(found).map((span, index, spans) => toItsEnd(text, span, spans[index + 1]?.start));
}

function judgeRun(text: string, run: SecretRange, found: SecretSpan[]): void {
  const value = valueIn(text, run);
  const rule = value && runRules.find(({ accepts }) => accepts(text, value));
  if (rule) found.push({ ...value, rule: rule.name });
}

/** Patterns are bounded: a secret of this length may continue after the end of its match. */
const cutLength = 255;

function toItsEnd(text: string, span: SecretSpan, limit = text.length): SecretSpan {
  let { end } = span;
  if (end - span.start < cutLength) return span;
  while (end < limit && /[\w+/=-]|[\udc00-\udfff]/.test(text.charAt(end))) end += 1;
  return { ...span, end };
}

/** How far before a long run the anchor of its token can begin: the `:` of `:AA…`, the digit of `8Q~…`. */
const tokenLead = 4;

const scanContexts = scanner(contextRules);
const scanRare = scanner(rareRules);
const scanTokens = scanner(tokenRules);

type Scan = (text: string, from: number, to: number, found: SecretSpan[]) => void;

/** Looks for the anchors of all rules in one pass and tries the rules that share the anchor's first character. */
function scanner(rules: readonly SecretRule[]): Scan {
  const anchors = new RegExp([...new Set(rules.flatMap((rule) => rule.anchors))].join('|'), 'g');
  const rulesByInitial = groupByInitial(rules);
  return (text, from, to, found) => {
    const window = from === 0 && to === text.length ? text : text.slice(from, to);
    anchors.lastIndex = 0;
    for (let hit = anchors.exec(window); hit !== null; hit = anchors.exec(window)) {
      for (const rule of rulesByInitial.get(window.charAt(hit.index)) ?? []) {
        const span = applyRule(rule, text, from + hit.index);
        if (span) found.push(span);
      }
      anchors.lastIndex = hit.index + 1;
    }
  };
}

function groupByInitial(rules: readonly SecretRule[]): ReadonlyMap<string, readonly SecretRule[]> {
  const groups = new Map<string, SecretRule[]>();
  for (const rule of rules) {
    for (const initial of new Set(rule.anchors.flatMap(initialsOf))) {
      groups.set(initial, [...(groups.get(initial) ?? []), rule]);
    }
  }
  return groups;
}

function initialsOf(anchor: string): string[] {
  const [, members] = /^\[(0-9|\w+)\]/.exec(anchor) ?? [];
  if (members === undefined) return [anchor.charAt(0)];
  return [...(members === '0-9' ? '0123456789' : members)];
}

const ranks = new Map<string, number>();
for (const [index, name] of ruleNames.entries()) if (!ranks.has(name)) ranks.set(name, index);

/** Joins spans that overlap; the joined span has the name of the most specific rule. */
export function mergeSpans(spans: readonly SecretSpan[]): SecretSpan[] {
  const merged: SecretSpan[] = [];
  for (const span of spans.toSorted((left, right) => left.start - right.start)) {
    const last = merged.at(-1);
    if (last === undefined || span.start >= last.end) {
      merged.push(span);
      continue;
    }
    const rule = rankOf(span.rule) < rankOf(last.rule) ? span.rule : last.rule;
    merged[merged.length - 1] = { start: last.start, end: Math.max(last.end, span.end), rule };
  }
  return merged;
}

function rankOf(rule: string): number {
  return ranks.get(rule) ?? ranks.size;
}
