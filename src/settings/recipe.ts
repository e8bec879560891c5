import { chunkSizes } from './chunk-sizes.ts';
import type { Settings } from './settings.ts';

/** Raised when extraction or chunking changes in a way that makes old chunks worth replacing. */
const version = 14;

/** The settings that decide how a file is extracted and cut, by key; with `version` they are the recipe. */
const decisive = {
  chunking: ({ chunking: { sizes, by_characters } }) => ({
    // Existing indexes have these names in their recipes.
    strategy: sizes === 'characters' ? sizes : 'structure',
    ...chunkSizes(sizes),
    characters: by_characters.size,
    overlap_characters: by_characters.overlap,
  }),
  chunkers: ({ chunkers }) => chunkers,
  types: ({ types }) => types,
  origins: ({ origins }) => origins,
  max_age_days: ({ max_age_days }) => max_age_days,
  'index.redact_secrets': ({ index }) => index.redact_secrets,
} satisfies Record<string, (settings: Settings) => unknown>;

/** Names everything that decides the chunks of a file. */
export function recipeOf(settings: Settings): string {
  return JSON.stringify([version, ...Object.values(decisive).map((pick) => pick(settings))]);
}

/** Whether a setting decides how files are extracted and cut: `chunking.sizes`, `types.notes`. */
export function decidesRecipe(key: string): boolean {
  return Object.keys(decisive).some((name) => key === name || key.startsWith(`${name}.`));
}
