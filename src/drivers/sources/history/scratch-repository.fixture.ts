import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceEntry } from '../../../contracts/source.ts';
import type { Environment } from '../../../platform/environment.ts';
import { judgePaths } from '../local/judge-paths.ts';
import { scratchTree } from '../local/scratch-tree.fixture.ts';
import { createHistorySource, type HistorySource } from './history-source.ts';

/** A repository that a test makes, by git itself. */
export interface ScratchRepository {
  readonly folder: string;
  git(...words: string[]): string;
  /** Writes files (`undefined` deletes one) and commits them at a time that grows with each commit; gives the hash. */
  commit(message: string, files: Readonly<Record<string, string | Buffer | undefined>>): string;
}

const person = ['-c', 'user.name=Ada Lovelace', '-c', 'user.email=ada@example.com'];

/** Runs git with nothing of the user's own settings. */
export function gitIn(folder: string, words: readonly string[], seconds = 1_700_000_000): string {
  const date = `${seconds} +0000`;
  return execFileSync('git', [...person, ...words], {
    cwd: folder,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      GIT_CONFIG_GLOBAL: '/dev/null',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_AUTHOR_DATE: date,
      GIT_COMMITTER_DATE: date,
    },
  });
}

/** An empty repository in a folder of its own, or in the one given. */
export function scratchRepository(folder = join(scratchTree({}), 'repo')): ScratchRepository {
  mkdirSync(folder, { recursive: true });
  gitIn(folder, ['init', '-q', '-b', 'main']);
  let commits = 0;
  const git = (...words: string[]) => gitIn(folder, words, 1_700_000_000 + commits * 3600);
  return {
    folder,
    git,
    commit(message, files) {
      commits += 1;
      for (const [path, content] of Object.entries(files)) {
        if (content === undefined) git('rm', '-q', '--', path);
        else {
          mkdirSync(dirname(join(folder, path)), { recursive: true });
          writeFileSync(join(folder, path), content);
          git('add', '-f', '--', path);
        }
      }
      git('commit', '-q', '--allow-empty', '--allow-empty-message', '-m', message);
      return git('rev-parse', 'HEAD').trim();
    },
  };
}

/** An environment with a cache of its own; `path` comes before the folders of this machine. */
export function environmentOf(variables: Readonly<Record<string, string>> = {}): Environment {
  const own: Record<string, string | undefined> = {
    QUARRY_CACHE_FOLDER: join(scratchTree({}), 'cache'),
    HOME: scratchTree({}),
    PATH: process.env.PATH,
    SYSTEMROOT: process.env.SYSTEMROOT,
    TEMP: process.env.TEMP,
    ...variables,
  };
  return (name) => own[name] || undefined;
}

/** The history of a folder as a run reads it. */
export function historyOf(
  folder: string,
  { commits = 100, environment = environmentOf() }: { commits?: number; environment?: Environment } = {},
): HistorySource {
  const local = { root: folder, include: [], exclude: [], maxFileBytes: () => 1e6, useGitignore: true };
  return createHistorySource({ folder, environment, commits, judge: () => judgePaths(local) });
}

/** Everything that a scan reports. */
export async function entriesOf(history: HistorySource, rules = ''): Promise<SourceEntry[]> {
  const entries: SourceEntry[] = [];
  for await (const entry of history.scan(rules)) entries.push(entry);
  return entries;
}

/** The uris of the commits that a scan lists, newest first. */
export async function commitsIn(history: HistorySource, rules = ''): Promise<string[]> {
  return (await entriesOf(history, rules)).flatMap((entry) =>
    entry.kind === 'file' ? [entry.file.uri] : [],
  );
}

/** The text of a commit. */
export async function textOf(history: HistorySource, hash: string): Promise<string> {
  await commitsIn(history);
  return Buffer.from(await history.read(`commit:${hash.slice(0, 12)}`)).toString('utf8');
}
