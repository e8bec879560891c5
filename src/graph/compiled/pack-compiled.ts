import { setImmediate } from 'node:timers/promises';
import { pushNumber } from '../file/sites.ts';
import { type ReadBytes, type ScipOccurrence, scipDocuments } from './scip-documents.ts';

/** What a compiler has understood of a project, as it is kept. */
export interface CompiledIndex {
  readonly files: readonly CompiledFile[];
  /** Numbers of symbols with the places where they are defined. */
  readonly definitions: readonly CompiledDefinition[];
  /** How many files are left out, since it says too much of each. */
  readonly leftOut: number;
}

/** The mentions in a file: lines as the distance to the one before, columns, and the numbers of symbols. */
export interface CompiledFile {
  readonly id: number;
  readonly uri: string;
  readonly mentions: Uint8Array;
}

export interface CompiledDefinition {
  readonly symbol: number;
  readonly file: number;
  readonly line: number;
}

/** Of an index that exceeds one of these nothing is used, since all that is kept of it is in memory at once. */
interface Bounds {
  readonly definitions: number;
  readonly files: number;
  /** By estimate. */
  readonly bytes: number;
  /** In one file: of one with more, none is used. */
  readonly mentions: number;
}

const bounds: Bounds = { definitions: 500_000, files: 100_000, bytes: 2 ** 27, mentions: 100_000 };
/** What an entry takes besides its text, by estimate. */
const entryBytes = 100;
/** Milliseconds between pauses, in which other work is done. */
const pauseAfter = 20;
/** Looking at the clock for each step would cost more than the step. */
const stepsBetween = 16;

/** Reads an index in the SCIP format; undefined for one that says more than is kept. */
export async function packCompiled(
  read: ReadBytes,
  size: number,
  signal?: AbortSignal,
  max: Bounds = bounds,
): Promise<CompiledIndex | undefined> {
  const pauses = createPauses(signal);
  const found = createFound(max);
  for (const part of scipDocuments(read, size)) {
    if (pauses.isDue()) await pauses.take();
    if (part === 'endless') return undefined;
    if (typeof part === 'string') continue;
    for (const occurrence of part.occurrences) {
      if (pauses.isDue()) await pauses.take();
      if (occurrence?.isDefinition) found.define(part.uri, occurrence);
      if (found.isTooMuch()) return undefined;
    }
  }
  // Only now it is known which symbols are of the project. The file may be another one by now.
  let leftOut = 0;
  for (const part of scipDocuments(read, size)) {
    if (pauses.isDue()) await pauses.take();
    if (part === 'endless') return undefined;
    if (part === 'large') leftOut += 1;
    if (typeof part === 'string') continue;
    const mentions: Mention[] = [];
    for (const occurrence of part.occurrences) {
      if (pauses.isDue()) await pauses.take();
      const symbol = occurrence && !occurrence.isDefinition && found.numberOf(occurrence.symbol);
      if (symbol) mentions.push({ line: occurrence.line, column: occurrence.column, symbol });
      if (mentions.length > max.mentions) break;
    }
    if (mentions.length > max.mentions) leftOut += 1;
    else found.mention(part.uri, mentions);
    if (found.isTooMuch()) return undefined;
  }
  return { ...found.all(), leftOut };
}

interface Mention {
  readonly line: number;
  readonly column: number;
  readonly symbol: number;
}

/** Keeps what an index says of the project, and estimates what that takes. */
function createFound(max: Bounds) {
  const symbols = new Map<string, number>();
  const definitions: CompiledDefinition[] = [];
  const ids = new Map<string, number>();
  const packed = new Map<string, Uint8Array>();
  let bytes = 0;
  const numbered = (numbers: Map<string, number>, text: string): number => {
    const known = numbers.get(text);
    if (known !== undefined) return known;
    bytes += entryBytes + text.length;
    numbers.set(text, numbers.size + 1);
    return numbers.size;
  };
  return {
    /** A file counts from the first thing that is said of it: thousands may have a path and nothing else. */
    define(uri: string, { symbol, line }: ScipOccurrence): void {
      bytes += entryBytes;
      definitions.push({ symbol: numbered(symbols, symbol), file: numbered(ids, uri), line });
    },
    numberOf: (symbol: string): number | undefined => symbols.get(symbol),
    mention(uri: string, mentions: Mention[]): void {
      if (mentions.length === 0) return;
      numbered(ids, uri);
      const those = packMentions(mentions);
      bytes += entryBytes + those.length;
      packed.set(uri, those);
    },
    isTooMuch: (): boolean =>
      definitions.length > max.definitions || ids.size > max.files || bytes > max.bytes,
    all(): Pick<CompiledIndex, 'files' | 'definitions'> {
      const none = new Uint8Array();
      const files = [...ids].map(([uri, id]) => ({ id, uri, mentions: packed.get(uri) ?? none }));
      return { files, definitions };
    },
  };
}

/** Lets other work be done now and then, and ends when the caller does not want it any more. */
function createPauses(signal: AbortSignal | undefined) {
  let from = performance.now();
  let steps = 0;
  return {
    isDue(): boolean {
      steps += 1;
      return steps % stepsBetween === 0 && performance.now() - from >= pauseAfter;
    },
    async take(): Promise<void> {
      await setImmediate(undefined, { signal });
      from = performance.now();
    },
  };
}

function packMentions(mentions: Mention[]): Uint8Array {
  const bytes: number[] = [];
  let before = 0;
  for (const { line, column, symbol } of mentions.sort((one, other) => one.line - other.line)) {
    for (const value of [line - before, column, symbol]) pushNumber(bytes, value);
    before = line;
  }
  return Uint8Array.from(bytes);
}
