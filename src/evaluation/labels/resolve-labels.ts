import type { OpenedPart } from '../evaluation-set.ts';
import type { ChunkLines } from './found-texts.ts';
import { type JudgedQuestion, type ResolvedLabel, touch } from './judgement.ts';
import { type LabelProblem, labelProblem } from './label-problem.ts';

/** What the index says of a document that a label may mean. */
export interface KnownDocument {
  readonly uri: string;
  readonly status: 'indexed' | 'skipped' | 'failed';
  /** Number of chunks; absent means at least one. */
  readonly chunks?: number;
  /** `degraded` where a part of the text may be missing. */
  readonly reason?: string;
}

/** The labels of a question as documents of an index, and what is wrong with them. */
export interface ResolvedQuestion {
  readonly labels: readonly ResolvedLabel[];
  readonly problems: readonly LabelProblem[];
}

/** Finds the documents that each label means; labels for the same lines of the same document are one. */
export function resolveLabels(
  question: JudgedQuestion,
  part: Pick<OpenedPart, 'isMeant'>,
  known: ReadonlyMap<string, KnownDocument>,
): ResolvedQuestion {
  const resolved = new Map<string, ResolvedLabel>();
  const problems: LabelProblem[] = [];
  for (const label of question.labels) {
    const documents = meantBy(label.path, part, known);
    const uris = documents.map(({ uri }) => uri);
    const problem = (kind: LabelProblem['kind']) => problems.push(labelProblem(kind, question, label));
    if (documents.length === 0) problem('absent');
    else if (!documents.some(isIndexed)) problem('unindexed');
    else if (documents.length > 1) problem('ambiguous');
    if (documents.length === 0) continue;
    const key = JSON.stringify([uris, label.lines]);
    const previous = resolved.get(key);
    const grade = Math.max(label.grade, previous?.grade ?? 0);
    resolved.set(key, { ...(previous ?? label), uris: new Set(uris), grade });
  }
  return { labels: [...resolved.values()], problems };
}

/**
 * Compares labels for lines with the existing chunks. Lines after the end of the text are a mistake of the label, which
 * is left out. Lines that no chunk covers stay, and count as not found.
 */
export async function checkLines(
  question: JudgedQuestion,
  { labels, problems }: ResolvedQuestion,
  known: ReadonlyMap<string, KnownDocument>,
  linesOf: ChunkLines,
): Promise<ResolvedQuestion> {
  const kept: ResolvedLabel[] = [];
  const found = [...problems];
  for (const label of labels) {
    const lineProblem = await lineProblemOf(question, label, known, linesOf);
    if (lineProblem) found.push(lineProblem);
    if (lineProblem?.kind !== 'beyond') kept.push(label);
  }
  return { labels: kept, problems: found };
}

async function lineProblemOf(
  question: JudgedQuestion,
  label: ResolvedLabel,
  known: ReadonlyMap<string, KnownDocument>,
  linesOf: ChunkLines,
): Promise<LabelProblem | undefined> {
  const { lines, uris } = label;
  const documents = [...uris].flatMap((uri) => known.get(uri) ?? []);
  // A document that is not indexed at all has its own problem already.
  if (!lines || !documents.some(isIndexed)) return undefined;
  const chunks = (await Promise.all([...uris].map(linesOf))).flat();
  if (chunks.some((chunk) => touch(chunk, lines))) return undefined;
  const end = chunks.reduce((last, chunk) => Math.max(last, chunk[1]), 0);
  // Where the index may lack a part of the text, or the file has no lines, its end is not known.
  const isWhole =
    chunks.length > 0 && documents.every((document) => isIndexed(document) && document.reason !== 'degraded');
  return isWhole && lines[0] > end
    ? labelProblem('beyond', question, label, end)
    : labelProblem('uncovered', question, label);
}

function isIndexed({ status, chunks }: KnownDocument): boolean {
  return status === 'indexed' && chunks !== 0;
}

/** A complete path means that document only, even if other paths end with it. */
function meantBy(
  path: string,
  part: Pick<OpenedPart, 'isMeant'>,
  known: ReadonlyMap<string, KnownDocument>,
): KnownDocument[] {
  const exact = known.get(path);
  return exact ? [exact] : [...known.values()].filter(({ uri }) => part.isMeant(path, uri));
}
