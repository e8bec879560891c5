import type { Source } from '../../contracts/source.ts';
import { isCommit } from '../../core/documents/commit.ts';
import { QuarryError } from '../../core/errors.ts';
import { createHistorySource, type HistorySource } from '../../drivers/sources/history/history-source.ts';
import { judgePaths } from '../../drivers/sources/local/judge-paths.ts';
import type { LocalSourceOptions } from '../../drivers/sources/local/local-source-options.ts';
import type { Environment } from '../../platform/environment.ts';
import type { Settings } from '../../settings/settings.ts';
import { allowedCommits } from './allowed-commits.ts';

/** Files that leave others out: where one changes, so may what of a commit is to be seen. */
const ruleFile = /(?:^|\/)\.(?:git|quarry)ignore$/;

/** One for each opened project: it keeps the list of commits until another one is checked out. */
const histories = new WeakMap<Settings, { readonly commits: number; readonly source: HistorySource }>();

/** The files of a project with its commits behind them; git is not run before these are listed, and only where the user allows it. */
export function withHistory(
  files: Source,
  options: LocalSourceOptions,
  settings: Settings,
  environment: Environment,
): Source {
  const { root: folder, include, exclude, useGitignore, roots } = options;
  const open = async (): Promise<HistorySource | undefined> => {
    const commits = await allowedCommits(folder, settings, environment);
    if (commits === 0) return undefined;
    const known = histories.get(settings);
    if (known?.commits === commits) return known.source;
    const source = createHistorySource({ folder, environment, commits, judge: () => judgePaths(options) });
    histories.set(settings, { commits, source });
    return source;
  };
  return {
    ...files,
    async *scan(scanOptions) {
      const rules: string[] = [];
      for await (const entry of files.scan(scanOptions)) {
        const uri = entry.kind === 'file' ? entry.file.uri : entry.skipped.uri;
        if (ruleFile.test(uri))
          rules.push(entry.kind === 'file' ? `${uri} ${entry.file.size} ${entry.file.modifiedAt}` : uri);
        yield entry;
      }
      // Commits are no part of a folder: a run of some paths leaves them as they are.
      if (scanOptions?.only) return;
      const source = await open();
      if (!source) return;
      const decisive = JSON.stringify([include, exclude, useGitignore, roots, rules.sort()]);
      yield* source.scan(decisive, scanOptions);
    },
    async read(uri) {
      if (!isCommit(uri)) return files.read(uri);
      const source = await open();
      if (!source) throw notAllowed(uri);
      return source.read(uri);
    },
  };
}

/** A commit that was listed before the user took the permission back: it is gone like any other. */
function notAllowed(uri: string): QuarryError {
  const cause = { code: 'ENOENT' };
  return new QuarryError('file-unreadable', `${uri} may not be read any more.`, 'Index again.', { cause });
}
