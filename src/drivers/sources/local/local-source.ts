import type { Source } from '../../../contracts/source.ts';
import { type GitRules, readGitRules, type UserPlaces } from './git-repository.ts';
import { parseIgnorePatterns } from './ignore-rules.ts';
import { compileInclusion } from './inclusion.ts';
import { readContained } from './read-contained.ts';
import { type ResolvedRoot, resolveRoots } from './roots.ts';
import { walkRoot } from './walk.ts';

/** Settings of the source of local files. */
export interface LocalSourceOptions extends UserPlaces {
  /** Absolute path of the project folder; uris are relative to it. */
  readonly root: string;
  /** Folders to walk: inside the project, or elsewhere by absolute path. The project folder by default. */
  readonly roots?: readonly string[];
  /** Globs over uris; none admits every file. */
  readonly include: readonly string[];
  /** Patterns over uris, written as in `.gitignore`; they have the last word. */
  readonly exclude: readonly string[];
  /** Larger files are skipped, and never read beyond this; formats differ in how much of a file is text. */
  readonly maxFileBytes: (uri: string) => number;
  /** Whether `.gitignore` and git's other excludes apply; `.quarryignore` always does. */
  readonly useGitignore: boolean;
  /** Whether dependencies, build output, binaries, secrets and the like are left out; true by default. */
  readonly defaultSkips?: boolean;
}

/**
 * The files below the roots that neither git's rules, nor `.quarryignore`, nor the settings leave out.
 * Files that git tracks although a rule ignores them are left out: the index of git is not consulted.
 */
export function createLocalSource(options: LocalSourceOptions): Source {
  const exclude = parseIgnorePatterns(options.exclude, 'exclude');
  const inclusion = compileInclusion(options.include);
  let roots: Promise<ResolvedRoot[]> | undefined;
  const resolveAgain = () => resolveRoots(options.root, options.roots ?? ['.']);

  return {
    async *scan({ signal } = {}) {
      roots = resolveAgain();
      const resolved = await roots;
      for (const root of resolved) {
        const git = options.useGitignore ? await readGitRules(root.folder, options) : noGitRules;
        const settings = {
          useGitignore: options.useGitignore,
          ignoreCase: git.ignoreCase,
          defaultSkips: options.defaultSkips ?? true,
          exclude,
        };
        const { maxFileBytes } = options;
        yield* walkRoot(root, { settings, git, inclusion, maxFileBytes, roots: resolved, signal });
      }
    },

    async read(uri) {
      roots ??= resolveAgain();
      return readContained(await roots, uri, options.maxFileBytes(uri));
    },
  };
}

const noGitRules: GitRules = { repository: undefined, ignoreCase: false, rules: [] };
