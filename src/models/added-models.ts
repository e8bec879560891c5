import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { publishedRecogniser } from './catalogue.ts';
import type { FilesCard, Installed, RecogniserCard } from './model-card.ts';

/** The folder below the cache that holds one folder for each added model. */
export function modelsFolder(cacheFolder: string): string {
  return join(cacheFolder, 'models');
}

/** A published model at its place in the cache, whether it is there or not. */
export function addedModel<Card extends FilesCard>(card: Card, cacheFolder: string): Installed<Card> {
  const folder = resolve(modelsFolder(cacheFolder), card.name);
  return { card, folder, remedy: `Run: quarry model add ${card.name}` };
}

/** What reads pictures, at its place in the cache, whether it is there or not. */
export function recogniserIn(cacheFolder: string): Installed<RecogniserCard> {
  return addedModel(publishedRecogniser.card, cacheFolder);
}

/** Whether what reads pictures was added; so cheap that it can be asked at every look. */
export function hasRecogniser(cacheFolder: string): boolean {
  // All of its files appear at once.
  return existsSync(recogniserIn(cacheFolder).folder);
}
