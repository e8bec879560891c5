import type { AddedModel, AddOptions } from './add-model.ts';
import type { ListedModel } from './list-models.ts';

export type { ListedModel };

/** The embedding models of this user: what there is, and how to have more or fewer. */
export interface ModelShelf {
  list(options?: { readonly verify?: boolean }): Promise<readonly ListedModel[]>;
  add(options: Omit<AddOptions, 'cacheFolder'>): Promise<AddedModel>;
  /** Whether it was there. */
  remove(name: string): Promise<boolean>;
}

/** The shelf in the folder that all of the user's projects share. */
export function createModelShelf(cacheFolder: string): ModelShelf {
  const adding = () => import('./add-model.ts');
  const listing = () => import('./list-models.ts');
  return {
    list: async (options) => (await listing()).listModels(cacheFolder, options),
    add: async (options) => (await adding()).addModel({ ...options, cacheFolder }),
    remove: async (name) => (await listing()).removeModel(name, cacheFolder),
  };
}
