import { statSync } from 'node:fs';
import type { RootTrouble, ScanOptions, Source, SourceEntry } from '../../../contracts/source.ts';
import { isCommit } from '../../../core/documents/commit.ts';
import { asQuarryError, interrupted, QuarryError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';
import type { Environment } from '../../../platform/environment.ts';
import type { PathJudge } from '../local/walk/path-judge.ts';
import { type CommitReader, createCommitReader, type ReadCommit } from './commit-reader.ts';
import { commitText, type Reason } from './commit-text.ts';
import { openGitView } from './git-view.ts';
import { type CommitList, listCommits } from './list-commits.ts';
import { locateRepository, type Repository } from './repository.ts';

/** What the commits of a folder are read with. */
export interface HistoryOptions {
  /** The folder of the project. */
  readonly folder: string;
  readonly environment: Environment;
  /** How many of the latest commits are read. */
  readonly commits: number;
  /** Why a file of a commit is left out, by the rules of today; made for each scan. */
  readonly judge: () => PathJudge;
}

/** The commits of a folder. */
export interface HistorySource extends Pick<Source, 'read'> {
  /** Lists the commits; `rules` names what decides which of their files may be seen: where it changes, each is read again. */
  scan(rules: string, options?: Pick<ScanOptions, 'signal'>): AsyncIterable<SourceEntry>;
}

/** What was found at one state of the repository. */
interface Opened extends CommitList {
  readonly key: string;
  readonly repository: Repository;
  readonly reader: CommitReader;
  readonly hashes: ReadonlyMap<string, string>;
}

/** Changed when the text that is made of a commit changes. */
const form = 1;
/** A commit has no size; this number stands for what decides its text, above what most of them take in memory. */
const nominalSize = { min: 2 ** 16, names: 2 ** 20 };

/** The commits that lead to the one that is checked out, each as a document. Nothing is run where there is no repository. */
export function createHistorySource(options: HistoryOptions): HistorySource {
  const { folder, environment, commits } = options;
  let opened: Opened | undefined;
  let judge: PathJudge | undefined;
  const open = async (signal?: AbortSignal): Promise<Opened | undefined> => {
    const repository = await locateRepository(folder);
    if (!repository) return undefined;
    const key = JSON.stringify([repository, repository.shallow && stampOf(repository.shallow)]);
    if (opened?.key === key) return opened;
    const view = await openGitView(repository, { project: folder, environment });
    const list = await listCommits(view, repository, commits, signal);
    const hashes = new Map(list.commits.map(({ uri, hash }) => [uri, hash]));
    opened = { ...list, key, repository, hashes, reader: createCommitReader(view, repository) };
    return opened;
  };

  return {
    async *scan(rules, { signal } = {}) {
      let found: Opened | undefined;
      try {
        found = await open(signal);
      } catch (thrown) {
        if (signal?.aborted) throw interrupted(signal.reason);
        const error = asQuarryError(thrown);
        if (error.code !== 'file-unreadable') throw error;
        yield skipped('commit:*', 'unreadable', error.message, { error, isEmpty: false, holds: isCommit });
        return;
      }
      judge = options.judge();
      if (!found) yield skipped('commit:*', 'empty', 'there is no git repository around this folder');
      else if (found.commits.length === 0) yield skipped('commit:*', 'empty', 'no commit yet');
      else yield* entriesOf(found, sizeBy(rules));
    },

    async read(uri) {
      // A hash means the same commit for ever.
      const found = opened?.hashes.has(uri) ? opened : await open();
      const hash = found?.hashes.get(uri);
      if (!found || hash === undefined) throw gone(uri);
      const commit = inProject(await found.reader.read(hash), found.repository);
      judge ??= options.judge();
      const reasons = new Map<string, Reason>();
      for (const { path, from = path } of commit.record.files)
        for (const each of [path, from]) reasons.set(each, await judge(each));
      return Buffer.from(commitText(commit, (path) => reasons.get(path)));
    },
  };

  function* entriesOf(found: Opened, size: number): Generator<SourceEntry> {
    for (const { uri, committedAt } of found.commits)
      yield { kind: 'file', file: { uri, size, modifiedAt: committedAt } };
    if (found.hasMore)
      yield skipped('commit:*', 'too-old', `older than the latest ${commits} commits (history.commits)`);
    else if (found.repository.shallow !== undefined)
      yield skipped('commit:*', 'too-old', 'the clone is shallow: older commits are not in it');
  }
}

function sizeBy(rules: string): number {
  const digest = Number.parseInt(sha256(`${form} ${rules}`).slice(0, 8), 16);
  return nominalSize.min + (digest % nominalSize.names);
}

/** The commit with its paths from the project's folder; where a file came from elsewhere in the repository is not said. */
function inProject({ record, ...rest }: ReadCommit, { within }: Repository): ReadCommit {
  if (within === undefined) return { record, ...rest };
  const start = `${within}/`;
  const files = record.files
    .filter(({ path }) => path.startsWith(start))
    .map(({ path, from, ...change }) => ({
      ...change,
      path: path.slice(start.length),
      ...(from?.startsWith(start) && { from: from.slice(start.length) }),
    }));
  return { record: { ...record, files }, ...rest };
}

/** What changes with the content of a small file. */
function stampOf(path: string): string {
  const stats = statSync(path, { throwIfNoEntry: false });
  return `${stats?.size} ${stats?.mtimeMs}`;
}

function skipped(
  uri: string,
  reason: 'unreadable' | 'empty' | 'too-old',
  rule: string,
  trouble?: RootTrouble,
): SourceEntry {
  return { kind: 'skipped', skipped: { uri, reason, rule }, ...(trouble && { trouble }) };
}

/** The history was written again: the next scan does not list the commit any more. */
function gone(uri: string): QuarryError {
  const cause = { code: 'ENOENT' };
  return new QuarryError('file-unreadable', `${uri} is not in the history.`, 'Index again.', { cause });
}
