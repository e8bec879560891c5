import type { Source } from '../../../contracts/source.ts';
import { pathScope } from '../../../core/documents/path-scope.ts';
import type { LocalSourceOptions } from './local-source-options.ts';
import { peekContained } from './peek-contained.ts';
import { readContained } from './read-contained.ts';
import { type ResolvedRoot, resolveRoots } from './roots.ts';
import { entriesOf } from './walk/entries-of.ts';
import { prepareSurvey, type SurveyOptions } from './walk/survey.ts';

/**
 * The files below the roots that neither git's rules, nor `.quarryignore`, nor the settings leave out.
 * Files that git tracks although a rule ignores them are left out: the index of git is not consulted.
 */
export function createLocalSource(options: LocalSourceOptions): Source {
  let roots: Promise<ResolvedRoot[]> | undefined;
  let walked: readonly ResolvedRoot[] = [];
  const resolveAgain = () => resolveRoots(options.root, options.roots ?? ['.']);
  const survey = prepareSurvey(options);
  const walk = async function* (how: SurveyOptions) {
    roots = resolveAgain();
    walked = await roots;
    for await (const place of survey(walked, how)) yield* place.walk();
  };

  return {
    scan: ({ signal, only } = {}) => entriesOf(walk({ signal, scope: only && pathScope(only) }), signal),

    async read(uri) {
      roots ??= resolveAgain();
      return readContained(await roots, uri, options.maxFileBytes(uri));
    },

    // Only what a walk has found is peeked at: it has resolved the roots.
    peek: (uri, maxBytes) => peekContained(walked, uri, maxBytes),

    async watch(notice) {
      const { createLocalWatch } = await import('./watch/local-watch.ts');
      return createLocalWatch({ options, survey, resolveAgain, notice });
    },
  };
}
