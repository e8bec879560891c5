import { isAbsolute, normalize } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import { isModelPath } from '../core/settings/model-path.ts';
import type { ResolvedSettings } from './config.ts';
import type { EmbedderSettings } from './embedder-settings.ts';

/** Whether these settings load weights from a folder. */
export function namesFolder({ driver, model }: EmbedderSettings): boolean {
  return driver === 'local' && model !== undefined && isModelPath(model);
}

/** Whether the place of an index is an address, and no folder of this machine. */
export function isAddress(url: string): boolean {
  return /^[a-z][a-z0-9+.-]+:\/\//i.test(url);
}

/** Whether it is a folder of this machine that does not lie in the project. */
function isFolderElsewhere(url: string): boolean {
  if (isAddress(url)) return false;
  return isAbsolute(url) || /^\.\.(?:[\\/]|$)/.test(normalize(url));
}

/**
 * A file that came with the folder names models by name only, since weights of its own would be loaded unseen, and says
 * nothing about what all projects of the user share. Nor does it have anything written outside of the project.
 */
export function checkProjectFile({ settings, origins }: ResolvedSettings): void {
  const isFromProject = (key: string) => origins.get(key)?.layer === 'project';
  const tables = [
    ['embedder', 'embedder.model', settings.embedder] as const,
    ...Object.entries(settings.embedders).map(
      ([name, table]) => [`embedders.${name}`, `embedders.${name}`, table] as const,
    ),
  ];
  for (const [place, key, table] of tables) {
    if (!isFromProject(key) || !namesFolder(table)) continue;
    throw new QuarryError(
      'config-invalid',
      `quarry.toml sets ${place}.model to the folder ${table.model}; a file that comes with a project may only name models.`,
      'Set it in your user settings, in QUARRY_EMBEDDER_MODEL or with --set embedder.model=… instead.',
    );
  }
  const { driver, model } = settings.reranker;
  if (driver === 'cross-encoder' && model !== undefined && isFromProject('reranker.model')) {
    throw new QuarryError(
      'config-invalid',
      `quarry.toml sets reranker.model to the folder ${model}; a file that comes with a project may not name one.`,
      'Set it in your user settings, in QUARRY_RERANKER_MODEL or with --set reranker.model=… instead.',
    );
  }
  if (settings.generator.driver === 'gguf' && isFromProject('generator.model')) {
    throw new QuarryError(
      'config-invalid',
      `quarry.toml sets generator.model to the file ${settings.generator.model}; a file that comes with a project may not name one.`,
      'Set it in your user settings, in QUARRY_GENERATOR_MODEL or with --set generator.model=… instead.',
    );
  }
  const { driver: store, url } = settings.store;
  if (store === 'lancedb' && url !== undefined && isFromProject('store.url') && isFolderElsewhere(url)) {
    throw new QuarryError(
      'config-invalid',
      `quarry.toml sets store.url to ${url}; a file that comes with a project may only name a folder inside it.`,
      'Set it in your user settings, in QUARRY_STORE_URL or with --set store.url=… instead.',
    );
  }
  if (isFromProject('cache.max_bytes') && settings.cache.max_bytes !== 0) {
    throw new QuarryError(
      'config-invalid',
      'quarry.toml sets cache.max_bytes, which is about all projects of the user.',
      'Set it in your user settings or in QUARRY_CACHE_MAX_BYTES; a project may only turn the cache off with 0.',
    );
  }
}
