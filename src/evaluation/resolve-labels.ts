import type { OpenedPart } from './evaluation-set.ts';
import type { JudgedQuestion, ResolvedLabel } from './judgement.ts';

/** What the index says of a document that a label may mean. */
export interface KnownDocument {
  readonly uri: string;
  readonly status: 'indexed' | 'skipped' | 'failed';
}

/** The labels of a question as documents of an index, and what is wrong with them. */
export interface ResolvedQuestion {
  readonly labels: readonly ResolvedLabel[];
  readonly problems: readonly LabelProblem[];
}

/** A label that is not what its writer meant. */
export interface LabelProblem {
  /** `absent`: no such document, the label is left out. `unindexed`: there, but not indexed, so it counts as not found. */
  readonly kind: 'absent' | 'unindexed' | 'ambiguous';
  readonly question: string;
  readonly path: string;
}

/** Finds the documents that each label means; labels for the same lines of the same document are one. */
export function resolveLabels(
  { id, labels }: JudgedQuestion,
  part: Pick<OpenedPart, 'isMeant' | 'uriOf'>,
  known: ReadonlyMap<string, KnownDocument>,
): ResolvedQuestion {
  const resolved = new Map<string, ResolvedLabel>();
  const problems: LabelProblem[] = [];
  for (const { path, grade, lines } of labels) {
    const documents = meantBy(path, part, known);
    const uris = documents.map(({ uri }) => uri);
    const problem = (kind: LabelProblem['kind']) => problems.push({ kind, question: id, path });
    if (documents.length === 0) problem('absent');
    else if (documents.every(({ status }) => status !== 'indexed')) problem('unindexed');
    else if (documents.length > 1) problem('ambiguous');
    if (documents.length === 0) continue;
    const key = JSON.stringify([uris, lines]);
    const best = Math.max(grade, resolved.get(key)?.grade ?? 0);
    resolved.set(key, { uris: new Set(uris), grade: best, ...(lines && { lines }) });
  }
  return { labels: [...resolved.values()], problems };
}

/** A path that is written whole means that document alone, though others may end with it. */
function meantBy(
  path: string,
  part: Pick<OpenedPart, 'isMeant' | 'uriOf'>,
  known: ReadonlyMap<string, KnownDocument>,
): KnownDocument[] {
  const exact = known.get(part.uriOf ? (part.uriOf(path) ?? '') : path);
  if (exact) return [exact];
  return part.uriOf ? [] : [...known.values()].filter(({ uri }) => part.isMeant(path, uri));
}

/** What is wrong with the labels of a set, one sentence for each kind and path, with the questions it concerns. */
export function labelWarnings(problems: readonly LabelProblem[]): string[] {
  const sentences: Record<LabelProblem['kind'], string> = {
    absent: 'is no document here; the label is left out',
    unindexed: 'is not in the index, so it counts as not found (see: quarry status --skipped)',
    ambiguous: 'is the end of several paths; any of them counts',
  };
  const questions = new Map<string, string[]>();
  for (const { kind, path, question } of problems) {
    const sentence = `"${path}" ${sentences[kind]}`;
    const ids = questions.get(sentence);
    if (ids) ids.push(question);
    else questions.set(sentence, [question]);
  }
  return [...questions].map(([sentence, ids]) => `${sentence} (${idList(ids)}).`);
}

function idList(ids: readonly string[]): string {
  const shown = ids.slice(0, 3).join(', ');
  return ids.length === 1
    ? `question ${shown}`
    : `questions ${shown}${ids.length > 3 ? ` and ${ids.length - 3} more` : ''}`;
}
