import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Source, SourceFile } from '../contracts/source.ts';
import { isVirtual } from '../core/document.ts';
import { interrupted } from '../core/errors.ts';
import { countInText, countWords, type QuestionWord, questionWords } from './question-words.ts';
import { type CountedFile, rankFiles } from './rank-files.ts';

/** Bounds of a glance, whatever the corpus is. */
export interface GlanceLimits {
  /** Milliseconds for walking; what is found by then is what is known. */
  readonly walkMilliseconds: number;
  /** Milliseconds for looking at texts. */
  readonly readMilliseconds: number;
  /** Bytes of each file that are looked at. */
  readonly bytesOfEach: number;
  /** Files that are chosen at most, and at least where there are so many. */
  readonly max: number;
  readonly min: number;
  /** Bytes of all chosen files together. */
  readonly bytesOfAll: number;
  /** A larger file is not chosen: reading it would take all of the time. */
  readonly bytesOfOne: number;
}

/** Bounds that keep a glance, and the reading of what it chooses, below a second or two. */
export const defaultLimits: GlanceLimits = {
  walkMilliseconds: 2000,
  readMilliseconds: 2000,
  bytesOfEach: 131_072,
  max: 48,
  min: 12,
  bytesOfAll: 320_000,
  bytesOfOne: 200_000,
};

/** What a glance is asked. */
export interface GlanceRequest {
  readonly question: string;
  /** Whether an answer may come from this file. */
  readonly admits: (uri: string) => boolean;
  readonly limits?: Partial<GlanceLimits>;
  /** Told which files there are, before their texts are looked at. */
  readonly onWalked?: (files: readonly SourceFile[]) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The files that are likely to hold the answer, and how much was looked at to find them. */
export interface Glance {
  /** Best first. */
  readonly chosen: readonly SourceFile[];
  /** Files that may be indexed, as far as the walk came. */
  readonly files: number;
  /** Bytes of those that an answer may come from. */
  readonly bytes: number;
  /** Files whose text was looked at. */
  readonly looked: number;
  /** Whether any file has a word of the question, as far as was looked. */
  readonly hasWords: boolean;
  /** Whether every file that an answer may come from was met and looked at, to its end. */
  readonly isComplete: boolean;
}

/** Milliseconds of work without a break, after which the rest of the process gets its turn. */
const maxTurn = 8;

/**
 * Walks a source and looks at the texts for the words of a question, without reading any of them as a document. The source
 * decides what may be looked at; nothing is kept.
 */
export async function glance(source: Source, request: GlanceRequest): Promise<Glance> {
  const limits = { ...defaultLimits, ...request.limits };
  const words = questionWords(request.question);
  const { files, admitted, isWhole } = await walk(source, request, limits);
  request.onWalked?.(admitted);
  const ordered = byLikelihood(admitted, words);
  const counted = await look(source, ordered, words, limits, request.signal);
  const looked = counted.filter(({ length }) => length > 0).length;
  const isRead = ({ file, inText, length }: (typeof counted)[number]): boolean =>
    inText === undefined || length >= file.size;
  return {
    chosen: choose(counted, ordered, words.length, limits),
    files,
    bytes: admitted.reduce((sum, { size }) => sum + size, 0),
    looked,
    hasWords: rankFiles(counted, words.length).length > 0,
    isComplete: isWhole && counted.length === ordered.length && counted.every(isRead),
  };
}

async function walk(source: Source, { admits, signal }: GlanceRequest, { walkMilliseconds }: GlanceLimits) {
  const until = performance.now() + walkMilliseconds;
  const admitted: SourceFile[] = [];
  let files = 0;
  for await (const entry of source.scan({ signal })) {
    if (entry.kind === 'file') {
      files += 1;
      if (admits(entry.file.uri)) admitted.push(entry.file);
    }
    // The clock is not asked for every entry.
    if (files % 64 === 0 && performance.now() > until) return { files, admitted, isWhole: false };
  }
  return { files, admitted, isWhole: true };
}

/** A file before its text is looked at. */
interface Named {
  readonly file: SourceFile;
  readonly inPath: readonly number[];
}

/** Files whose path has words of the question, then small ones: if the time ends, the least likely were not looked at. */
function byLikelihood(files: readonly SourceFile[], words: readonly QuestionWord[]): Named[] {
  const named = files.map((file) => ({ file, inPath: countInText(file.uri, words) }));
  const met = ({ inPath }: Named): number => inPath.filter((count) => count > 0).length;
  return named.sort((one, other) => met(other) - met(one) || one.file.size - other.file.size);
}

async function look(
  source: Source,
  ordered: readonly Named[],
  words: readonly QuestionWord[],
  { readMilliseconds, bytesOfEach }: GlanceLimits,
  signal: AbortSignal | undefined,
): Promise<CountedFile<SourceFile>[]> {
  const counted: CountedFile<SourceFile>[] = [];
  const until = performance.now() + readMilliseconds;
  let turnEnds = performance.now() + maxTurn;
  for (const { file, inPath } of ordered) {
    const now = performance.now();
    if (now > until) break;
    if (now > turnEnds) {
      await nextTurn();
      turnEnds = performance.now() + maxTurn;
    }
    if (signal?.aborted) throw interrupted(signal.reason);
    const bytes = await bytesOf(source, file, bytesOfEach);
    const inText = bytes && countWords(bytes, words);
    counted.push({ file, inPath, inText, length: inText ? (bytes?.length ?? 0) : 0 });
  }
  return counted;
}

/** The first bytes of a file; undefined where it cannot be read: the run that indexes it says why. */
async function bytesOf(source: Source, file: SourceFile, max: number): Promise<Uint8Array | undefined> {
  try {
    if (source.peek && !isVirtual(file.uri)) return source.peek(file.uri, max);
    // What has no quick way is given whole or not at all.
    return file.size <= max ? await source.read(file.uri) : undefined;
  } catch {
    // The run that indexes it says why.
    return undefined;
  }
}

/** The best by words, as many as may be read in the time; where these are few, small ones that have none of the words. */
function choose(
  counted: readonly CountedFile<SourceFile>[],
  ordered: readonly Named[],
  words: number,
  { max, min, bytesOfAll, bytesOfOne }: GlanceLimits,
): SourceFile[] {
  const chosen = new Set<SourceFile>();
  let bytes = 0;
  const take = (file: SourceFile, wanted: number): void => {
    if (chosen.size >= wanted || file.size > bytesOfOne || chosen.has(file)) return;
    if (chosen.size > 0 && bytes + file.size > bytesOfAll) return;
    chosen.add(file);
    bytes += file.size;
  };
  for (const { file } of rankFiles(counted, words)) take(file, max);
  for (const { file } of ordered) take(file, min);
  return [...chosen];
}
