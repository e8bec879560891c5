import { QuarryError } from '../errors.ts';
import type { IndexEvent } from '../events.ts';

/** The rule that leaves out old documents of a type, in words. */
export function ageRule(type: string, days: number): string {
  return `${type} older than ${days} days (max_age_days)`;
}

/** The moment before which a document is older than so many days. */
export function oldestAdmitted(days: number): number {
  return Date.now() - days * 24 * 3600 * 1000;
}

/** A document that is left out for its age, whole or in part. */
export interface LeftOutForAge {
  readonly type: string;
  readonly rule: string;
}

/** What an event of a run says of a document that is left out for its age; undefined where it says nothing of that. */
export function leftOutForAge(event: IndexEvent): LeftOutForAge | undefined {
  if (event.type !== 'path-skipped' && event.type !== 'document-degraded') return undefined;
  return ageRuleIn(event.type === 'path-skipped' ? event.skipped.rule : event.reason);
}

function ageRuleIn(said: string): LeftOutForAge | undefined {
  const [rule, type = ''] = /(?<=^|: )(\S+) older than \S+ days \(max_age_days\)/.exec(said) ?? [];
  return rule === undefined ? undefined : { type, rule };
}

/** What brings a file back that was left out for its age, by what was noted of it; undefined where it was not. */
export function ageRemedy(noted: string): string | undefined {
  const { type = '' } = ageRuleIn(noted) ?? {};
  // A project names its types: no other name belongs into a command that is pasted.
  return /^[\w-]+$/.test(type)
    ? `Run quarry config set max_age_days.${type}=DAYS with more days to have it read.`
    : undefined;
}

/** The warning of them. A run says it of a file when it reads it, and not again. */
export function tooOldDocuments(documents: readonly LeftOutForAge[]): QuarryError {
  const files = documents.length === 1 ? '1 file is' : `${documents.length} files are`;
  const rules = new Set(documents.map(({ rule }) => rule));
  const keys = new Set(documents.map(({ type }) => `max_age_days.${type}`));
  return new QuarryError(
    'documents-too-old',
    `${files} left out, whole or in part: ${[...rules].join(', ')}.`,
    `Set ${[...keys].join(', ')} to more days to keep them; quarry status --skipped lists what is left out.`,
  );
}
