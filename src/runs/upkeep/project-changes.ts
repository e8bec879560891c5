import type { ProjectStatus } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { asQuarryError } from '../../core/errors.ts';
import type { Environment } from '../../platform/environment.ts';
import type { Settings } from '../../settings/settings.ts';

/** What a comparison of a project with its files needs. */
export interface ChangeParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  /** The index, or undefined where there is none yet. */
  readonly store: Store | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** How far the index is behind; files that cannot be looked at are no reason to say nothing of the index. */
export async function changesOf({
  folder,
  settings,
  environment,
  store,
  signal,
}: ChangeParts): Promise<Pick<ProjectStatus, 'changes' | 'incomparable'>> {
  const { compareWithFiles } = await import('../../indexing/compare.ts');
  const { openSource } = await import('../../sources/project-source.ts');
  const { recipeOf } = await import('../../settings/recipe.ts');
  const source = openSource(folder, settings, environment, true);
  try {
    return { changes: await compareWithFiles({ source, store, recipe: recipeOf(settings) }, { signal }) };
  } catch (thrown) {
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted' || error.code === 'internal') throw error;
    return { incomparable: error };
  }
}
