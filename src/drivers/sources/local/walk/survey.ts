import type { SourceEntry } from '../../../../contracts/source.ts';
import type { PathScope } from '../../../../core/documents/path-scope.ts';
import type { QuarryError } from '../../../../core/errors.ts';
import { realPath } from '../../../../platform/real-path.ts';
import { type GitRules, readGitRules } from '../git/git-repository.ts';
import type { LocalSourceOptions } from '../local-source-options.ts';
import type { ResolvedRoot } from '../roots.ts';
import { parseIgnorePatterns } from '../rules/ignore-rules.ts';
import { compileInclusion } from '../rules/inclusion.ts';
import type { Folder } from './examine-entry.ts';
import { createPathJudge, type PathJudge } from './path-judge.ts';
import { missingRoot } from './root-trouble.ts';
import { walkRoot } from './walk.ts';

/** Options of a survey. */
export interface SurveyOptions {
  /** The part of the tree that is wanted; everything where absent. */
  readonly scope?: PathScope | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** A root with its current rules, ready to be walked. */
export interface SurveyedRoot {
  readonly root: ResolvedRoot;
  readonly git: GitRules;
  /** The findings of a walk, a few at a time. */
  walk(): AsyncIterable<readonly SourceEntry[]>;
  /** Visits the folders that a walk would list, each before it is listed. */
  visitFolders(visit: (folder: Folder) => void): Promise<void>;
  /** Judges paths of this root without a walk. */
  readonly judge: PathJudge;
}

/** Visits roots one by one, without those that hold no wanted path; the rules of a root are read when its turn comes. */
export type Survey = (roots: readonly ResolvedRoot[], options: SurveyOptions) => AsyncGenerator<SurveyedRoot>;

/** Compiles the settings once, for all surveys. */
export function prepareSurvey(options: LocalSourceOptions): Survey {
  const exclude = parseIgnorePatterns(options.exclude, 'exclude');
  const inclusion = compileInclusion(options.include);
  const { maxFileBytes, maxBytesOfAnyFormat = 0, useGitignore } = options;
  const { defaultSkips = true, readsPictures = () => false } = options;

  return async function* survey(roots, { scope, signal }) {
    // A folder that is not there yet is known by the name it will have.
    const storeFolders = new Set(
      await Promise.all((options.storeFolders ?? []).map((path) => realPath(path).catch(() => path))),
    );
    for (const root of roots) {
      if (scope && !scope.holds(root.prefix) && !scope.leadsInto(root.prefix)) continue;
      if (root.missing) {
        yield absentRoot(root, roots, root.missing);
        continue;
      }
      const git = useGitignore ? await readGitRules(root.folder, options) : noGitRules;
      const settings = {
        useGitignore,
        ignoreCase: git.ignoreCase,
        defaultSkips,
        exclude,
        readsPictures: readsPictures(),
      };
      const sizes = { maxFileBytes, maxBytesOfAnyFormat };
      const context = { settings, git, inclusion, ...sizes, storeFolders, roots, scope, signal };
      yield {
        root,
        git,
        walk: () => walkRoot(root, context),
        judge: createPathJudge(root, context),
        async visitFolders(onFolder) {
          for await (const _ of walkRoot(root, { ...context, onFolder }));
        },
      };
    }
  };
}

/** A root that is missing: a walk reports only that. */
function absentRoot(root: ResolvedRoot, roots: readonly ResolvedRoot[], error: QuarryError): SurveyedRoot {
  return {
    root,
    git: noGitRules,
    async *walk() {
      yield [missingRoot(root, roots, error)];
    },
    async visitFolders() {},
    judge: async () => 'unreadable',
  };
}

const noGitRules: GitRules = {
  repository: undefined,
  ignoreCase: false,
  rules: [],
  gitFolder: undefined,
  files: [],
};
