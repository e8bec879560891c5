import {
  appendFileSync,
  existsSync,
  lstatSync,
  readFileSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { processEnvironment, userDataFolder } from '../../platform/environment.ts';
import { makeFolder } from '../../platform/make-folder.ts';

/** What an answer gave, for the receipt: no question and no text, only how much. */
export interface GivenAnswer {
  /** Who was answered: an agent over MCP, a program that called the command line, or a person at a terminal. */
  readonly surface: 'mcp' | 'shell' | 'terminal';
  readonly operation: string;
  /** The folder of the project; absent where it is on another machine. */
  readonly folder?: string | undefined;
  /** Characters that were given. */
  readonly given: number;
  /** The answer as data: its files are those under `path`. */
  readonly answer: unknown;
}

/** One or several answers of a day, as they are kept. */
export interface ReceiptLine {
  readonly day: string;
  readonly surface: GivenAnswer['surface'];
  readonly operation: string;
  readonly calls: number;
  /** Characters that were given. */
  readonly given: number;
  /** Characters of the files that were named, none by more than an agent reads at once. */
  readonly named: number;
}

/** Characters of a file that count: agents read no more of it at once. */
export const maxCounted = 100_000;
/** Files of one answer that count. */
const maxFiles = 50;
/** Bytes of the file of lines after which it is put away, to be summed up when a receipt is asked for. */
const maxBytes = 2 ** 18;

/** Where the lines are kept. */
export function receiptsFolder(): string {
  return join(userDataFolder(processEnvironment), 'receipts');
}

/** The file by which a user says that nothing is counted. */
export const offName = 'off';
/** The file that lines are added to; those that are put away have a time before the end of their name. */
export const linesName = 'lines.jsonl';

/** Notes how much an answer gave. What cannot be noted is not missed: the answer is what was asked for. */
export async function noteReceipt(said: GivenAnswer): Promise<void> {
  const { surface, operation, folder, given, answer } = said;
  try {
    const place = receiptsFolder();
    if (existsSync(join(place, offName))) return;
    const named = folder === undefined ? 0 : charactersOf(folder, pathsIn(answer));
    const day = new Date().toISOString().slice(0, 10);
    const line: ReceiptLine = { day, surface, operation, calls: 1, given, named };
    await makeFolder(place, 0o700);
    const file = join(place, linesName);
    // One short write at the end of a file is one step, also while another process writes there.
    appendFileSync(file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
    if (statSync(file).size > maxBytes)
      putAway(file, join(place, `lines.${Date.now()}.${process.pid}.jsonl`));
  } catch {
    // A full disk, a folder that may only be read: nothing that was asked for has failed.
  }
}

/** Makes one line a day of many. A process that is killed in between leaves the many lines, which say the same. */
function putAway(file: string, name: string): void {
  renameSync(file, name);
  const sums = new Map<string, ReceiptLine>();
  for (const text of readFileSync(name, 'utf8').trimEnd().split('\n')) {
    const line = JSON.parse(text) as ReceiptLine;
    const key = `${line.day} ${line.surface} ${line.operation}`;
    sums.set(key, addLines(sums.get(key), line));
  }
  const temporary = `${name}.tmp`;
  writeFileSync(temporary, [...sums.values()].map((line) => `${JSON.stringify(line)}\n`).join(''), {
    mode: 0o600,
  });
  renameSync(temporary, name);
}

/** Two lines as one, with the earlier day. */
export function addLines(one: ReceiptLine | undefined, other: ReceiptLine): ReceiptLine {
  if (!one) return other;
  return {
    ...one,
    day: one.day < other.day ? one.day : other.day,
    calls: one.calls + other.calls,
    given: one.given + other.given,
    named: one.named + other.named,
  };
}

/** The files that an answer names, each once. */
export function pathsIn(answer: unknown): readonly string[] {
  const paths = new Set<string>();
  const look = (value: unknown, depth: number): void => {
    if (typeof value !== 'object' || value === null || depth > 6 || paths.size >= maxFiles) return;
    for (const [key, inner] of Object.entries(value))
      if (key === 'path' && typeof inner === 'string') paths.add(inner);
      else look(inner, depth + 1);
  };
  look(answer, 0);
  return [...paths];
}

function charactersOf(folder: string, paths: readonly string[]): number {
  return paths.reduce((sum, path) => {
    // Content without a file is named by an address: there is nothing else to read.
    const found = lstatSync(join(folder, path), { throwIfNoEntry: false });
    return sum + (found?.isFile() ? Math.min(found.size, maxCounted) : 0);
  }, 0);
}
