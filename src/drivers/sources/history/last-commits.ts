import { commitUri } from '../../../core/documents/commit.ts';
import type { LastCommit, LastCommits } from '../../../core/documents/last-commits.ts';
import { diffLines } from '../../../core/text/line-diff.ts';
import type { GitView } from './git-view.ts';
import { outputOf } from './output.ts';
import type { Repository } from './repository.ts';

/** A place whose commits are asked for. */
export interface HistoryPlace {
  /** The file, from the project's folder. */
  readonly path: string;
  /** First and last line, and the text of the file as it is now; absent for the whole file. */
  readonly lines?: { readonly range: readonly [first: number, last: number]; readonly text: string };
}

const bounds = { milliseconds: 10_000, bytes: 4 * 1024 * 1024 };
/** Lines of one place that are looked at. */
const maxLines = 1000;
/** Pairs of lines that are compared, where the file differs from the one that was committed. */
const maxPairs = 4_000_000;

/** Asks git for them; rejects with `file-unreadable` where it fails. */
export async function lastCommitsOf(
  view: GitView,
  { head, within }: Repository,
  { path, lines }: HistoryPlace,
  limit: number,
  signal?: AbortSignal,
): Promise<LastCommits> {
  if (head === undefined) return { commits: [], uncommitted: [] };
  const file = within === undefined ? path : `${within}/${path}`;
  const ask = (words: readonly string[]) => outputOf(view.start(words), bounds, signal);
  if (!lines) {
    const format = '--format=%H%x00%an%x00%ct%x00%s';
    const found = await ask(['rev-list', `--max-count=${limit}`, format, head, '--', file]);
    return { commits: listed(found.toString('utf8')), uncommitted: [] };
  }
  const known = await ask(['ls-tree', '--full-tree', head, '--', file]);
  if (known.length === 0) return { commits: [], uncommitted: numbers(lines.range) };
  const committed = await ask(['cat-file', 'blob', `${head}:${file}`]);
  const wanted = numbers(lines.range).slice(0, maxLines);
  const before = committedLines(committed.toString('utf8'), lines.text, wanted);
  const asked = new Map(
    wanted.flatMap((line) => (before.has(line) ? [[before.get(line) as number, line]] : [])),
  );
  const uncommitted = wanted.filter((line) => !before.has(line));
  if (asked.size === 0) return { commits: [], uncommitted };
  const ranges = rangesOf([...asked.keys()]).flatMap(([first, last]) => ['-L', `${first},${last}`]);
  const blamed = await ask(['blame', '--porcelain', '--no-textconv', ...ranges, head, '--', file]);
  return { commits: blamedBy(blamed.toString('utf8'), asked).slice(0, limit), uncommitted };
}

function listed(text: string): LastCommit[] {
  return (
    text
      .split('\n')
      // Git puts a line with the hash alone before each.
      .filter((line) => line.includes('\0'))
      .map((line) => {
        const [hash = '', author = '', seconds = '', subject = ''] = line.split('\0');
        return { uri: commitUri(hash), hash, author, subject, committedAt: Number(seconds) * 1000 };
      })
  );
}

function numbers([first, last]: readonly [number, number]): number[] {
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at);
}

/** For each line of the file as it is now the line that was committed, where that is the same. */
function committedLines(before: string, now: string, wanted: readonly number[]): Map<number, number> {
  const [old, young] = [before.split(/\r?\n/), now.split(/\r?\n/)];
  let start = 0;
  while (start < old.length && start < young.length && old[start] === young[start]) start += 1;
  let end = 0;
  const min = Math.min(old.length, young.length) - start;
  while (end < min && old.at(-1 - end) === young.at(-1 - end)) end += 1;
  const pairs = new Map<number, number>();
  for (const line of wanted) {
    if (line <= start) pairs.set(line, line);
    else if (line > young.length - end) pairs.set(line, line + old.length - young.length);
  }
  const [oldMiddle, youngMiddle] = [
    old.slice(start, old.length - end),
    young.slice(start, young.length - end),
  ];
  // A row for each line takes memory, however few stand against it.
  if ((oldMiddle.length + 1) * (youngMiddle.length + 64) > maxPairs) return pairs;
  const isWanted = new Set(wanted);
  let [a, b] = [start, start];
  for (const { kind } of diffLines(`${oldMiddle.join('\n')}\n`, `${youngMiddle.join('\n')}\n`)) {
    if (kind !== 'added') a += 1;
    if (kind !== 'removed') b += 1;
    if (kind === 'kept' && isWanted.has(b)) pairs.set(b, a);
  }
  return pairs;
}

function rangesOf(lines: readonly number[]): (readonly [number, number])[] {
  const ranges: [number, number][] = [];
  for (const line of lines.toSorted((one, other) => one - other)) {
    const last = ranges.at(-1);
    if (last && last[1] === line - 1) last[1] = line;
    else ranges.push([line, line]);
  }
  return ranges;
}

/** What `git blame --porcelain` says: what is known of a commit stands at its first line alone. */
function blamedBy(text: string, asked: ReadonlyMap<number, number>): LastCommit[] {
  const commits = new Map<string, { author: string; subject: string; seconds: number; lines: number[] }>();
  let current: { author: string; subject: string; seconds: number; lines: number[] } | undefined;
  for (const line of text.split('\n')) {
    const [, hash, number] = /^([0-9a-f]{40,64}) \d+ (\d+)/.exec(line) ?? [];
    if (hash !== undefined) {
      current = commits.get(hash) ?? { author: '', subject: '', seconds: 0, lines: [] };
      commits.set(hash, current);
      const own = asked.get(Number(number));
      if (own !== undefined) current.lines.push(own);
    } else if (current && line.startsWith('author ')) current.author = line.slice(7);
    else if (current && line.startsWith('committer-time ')) current.seconds = Number(line.slice(15));
    else if (current && line.startsWith('summary ')) current.subject = line.slice(8);
  }
  return [...commits]
    .map(([hash, { seconds, ...rest }]) => ({
      uri: commitUri(hash),
      hash,
      committedAt: seconds * 1000,
      ...rest,
    }))
    .toSorted((one, other) => other.committedAt - one.committedAt);
}
