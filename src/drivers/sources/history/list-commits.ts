import { commitUri } from '../../../core/documents/commit.ts';
import type { GitView } from './git-view.ts';
import { outputOf } from './output.ts';
import type { Repository } from './repository.ts';

/** A commit as the list of them has it. */
export interface ListedCommit {
  readonly uri: string;
  readonly hash: string;
  /** When it became part of the branch, in milliseconds since 1970; 0 where that is no time. */
  readonly committedAt: number;
}

/** The commits of a branch, newest first. */
export interface CommitList {
  readonly commits: readonly ListedCommit[];
  /** Whether there are older ones. */
  readonly hasMore: boolean;
}

/** The latest time that a program can show. */
const maxSeconds = 8.64e12;
/** Time for a list, and bytes of one of its lines at most. */
const bounds = { milliseconds: 60_000, bytesPerLine: 100 };

/** Lists the latest commits that lead to the one that is checked out. */
export async function listCommits(
  view: GitView,
  { head, within }: Pick<Repository, 'head' | 'within'>,
  max: number,
  signal?: AbortSignal,
): Promise<CommitList> {
  if (head === undefined) return { commits: [], hasMore: false };
  const child = view.start([
    'rev-list',
    '--timestamp',
    `--max-count=${max + 1}`,
    head,
    '--',
    ...(within === undefined ? [] : [within]),
  ]);
  const { milliseconds, bytesPerLine } = bounds;
  const text = await outputOf(child, { milliseconds, bytes: (max + 1) * bytesPerLine }, signal);
  const taken = new Set<string>();
  const commits = text
    .toString('latin1')
    .split('\n')
    .flatMap((line): ListedCommit[] => {
      const [, seconds = '', hash = ''] = /^(\d+) ([0-9a-f]{40,64})$/.exec(line) ?? [];
      if (hash === '') return [];
      const uri = commitUri(hash, (short) => taken.has(short));
      taken.add(uri);
      const at = Number(seconds);
      return [{ uri, hash, committedAt: at <= maxSeconds ? at * 1000 : 0 }];
    });
  return { commits: commits.slice(0, max), hasMore: commits.length > max };
}
