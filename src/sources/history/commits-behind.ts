import type { ScanOptions, Source, SourceEntry } from '../../contracts/source.ts';
import { QuarryError } from '../../core/errors.ts';
import type { HistorySource } from '../../drivers/sources/history/history-source.ts';
import type { LocalSourceOptions } from '../../drivers/sources/local/local-source-options.ts';
import type { Environment } from '../../platform/environment.ts';
import type { Settings } from '../../settings/settings.ts';
import { allowedCommits } from './allowed-commits.ts';

/** Files that leave others out: where one changes, so may what of a commit is to be seen. */
const ruleFile = /(?:^|\/)\.(?:git|quarry)ignore$/;

/** One for each opened project: it keeps the list of commits until another one is checked out. */
const histories = new WeakMap<Settings, { readonly commits: number; readonly source: HistorySource }>();

/** The two ends of a scan: its files, and the commits behind all that is no commit. */
export interface FilesAndCommits {
  readonly files: () => Promise<AsyncIterable<SourceEntry>>;
  readonly commits: () => AsyncIterable<SourceEntry>;
}

/** Commits as what a project reads last. */
export interface CommitsBehind extends Pick<Source, 'read'> {
  scan(files: AsyncIterable<SourceEntry>, options: ScanOptions | undefined): FilesAndCommits;
}

/** The commits of a project; git is not run before its files are listed, and only where the user allows it. */
export function commitsBehind(
  options: LocalSourceOptions,
  settings: Settings,
  environment: Environment,
): CommitsBehind {
  const { root: folder, include, exclude, useGitignore, roots } = options;
  const open = async (): Promise<HistorySource | undefined> => {
    const commits = await allowedCommits(folder, settings, environment);
    if (commits === 0) return undefined;
    const known = histories.get(settings);
    if (known?.commits === commits) return known.source;
    const { createHistorySource } = await import('../../drivers/sources/history/history-source.ts');
    const { judgePaths } = await import('../../drivers/sources/local/judge-paths.ts');
    const source = createHistorySource({ folder, environment, commits, judge: () => judgePaths(options) });
    histories.set(settings, { commits, source });
    return source;
  };
  return {
    scan(files, scanOptions) {
      const rules: string[] = [];
      let source: HistorySource | undefined;
      return {
        async files() {
          // Commits are no part of a folder: a run of some paths leaves them as they are.
          if (!scanOptions?.only) source = await open();
          // Where no commit is read, no file pays for it.
          return source ? noting(files, rules) : files;
        },
        async *commits() {
          if (!source) return;
          const decisive = JSON.stringify([include, exclude, useGitignore, roots, rules.sort()]);
          yield* source.scan(decisive, scanOptions);
        },
      };
    },
    async read(uri) {
      const source = await open();
      if (!source) throw notAllowed(uri);
      return source.read(uri);
    },
  };
}

/** The same entries; files that leave others out are noted. */
async function* noting(entries: AsyncIterable<SourceEntry>, rules: string[]): AsyncGenerator<SourceEntry> {
  for await (const entry of entries) {
    const uri = entry.kind === 'file' ? entry.file.uri : entry.skipped.uri;
    if (ruleFile.test(uri))
      rules.push(entry.kind === 'file' ? `${uri} ${entry.file.size} ${entry.file.modifiedAt}` : uri);
    yield entry;
  }
}

/** A commit that was listed before the user took the permission back: it is gone like any other. */
function notAllowed(uri: string): QuarryError {
  const cause = { code: 'ENOENT' };
  return new QuarryError('file-unreadable', `${uri} may no longer be read.`, 'Index again.', { cause });
}
