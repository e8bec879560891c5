import type { Source } from '../../../contracts/source.ts';
import { pathScope } from '../../../core/path-scope.ts';
import { entriesOf } from './entries-of.ts';
import type { UserPlaces } from './git-repository.ts';
import { readContained } from './read-contained.ts';
import { type ResolvedRoot, resolveRoots } from './roots.ts';
import { prepareSurvey, type SurveyOptions } from './survey.ts';
import { createLocalWatch } from './watch/local-watch.ts';

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
  let roots: Promise<ResolvedRoot[]> | undefined;
  const resolveAgain = () => resolveRoots(options.root, options.roots ?? ['.']);
  const survey = prepareSurvey(options);
  const walk = async function* (how: SurveyOptions) {
    roots = resolveAgain();
    for await (const place of survey(await roots, how)) yield* place.walk();
  };

  return {
    scan: ({ signal, only } = {}) => entriesOf(walk({ signal, scope: only && pathScope(only) }), signal),

    async read(uri) {
      roots ??= resolveAgain();
      return readContained(await roots, uri, options.maxFileBytes(uri));
    },

    watch: (notice) => createLocalWatch({ options, survey, resolveAgain, notice }),
  };
}
