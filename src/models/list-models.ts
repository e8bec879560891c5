import { rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import { addedModel } from './added-models.ts';
import { type Addable, addables, bundledModels, isBundled, type ModelNotes } from './catalogue.ts';
import type { Installed, ModelCard, RecogniserCard } from './model-card.ts';
import { findModel, isIntact, isPresent, modelPath, unknownModel } from './model-files.ts';
import { cannotWrite, codeOf, withStagingFolder } from './staging-folder.ts';

/** A model as a list shows it. */
export interface ListedModel extends ModelNotes {
  readonly card: ModelCard | RecogniserCard;
  readonly state: 'bundled' | 'added' | 'available';
  /** Bytes on this machine, or for one that is only available the bytes to fetch. */
  readonly bytes: number;
  /** The package that carries it, as `NAME@VERSION`; a bundled one has none. */
  readonly package?: string;
  /** Whether its files have their hashes; only where that was asked for and it is on this machine. */
  readonly intact?: boolean;
}

/** How to look. */
export interface ListOptions {
  /** Whether to read the files and compare their hashes. */
  readonly verify?: boolean;
  readonly catalogue?: readonly Addable[];
}

/** Every model there is: the bundled ones, those added to the cache and those that can be added. */
export async function listModels(cacheFolder: string, options: ListOptions = {}): Promise<ListedModel[]> {
  const { catalogue = addables } = options;
  const bundled = bundledModels.map(
    async (model): Promise<ListedModel> => ({
      ...model,
      state: 'bundled',
      ...(await look(await findModel(model.card.name, cacheFolder), options)),
    }),
  );
  const others = catalogue.map(async (published): Promise<ListedModel> => {
    const { card, licence, note, downloadBytes } = published;
    const model = addedModel(card, cacheFolder);
    const described = { card, licence, note, package: `${published.package}@${published.version}` };
    if (!(await isPresent(model))) return { ...described, state: 'available', bytes: downloadBytes };
    return { ...described, state: 'added', ...(await look(model, options)) };
  });
  return Promise.all([...bundled, ...others]);
}

/** Removes an added model from the cache; false where it was not there. The bundled ones stay. */
export async function removeModel(
  name: string,
  cacheFolder: string,
  catalogue: readonly Addable[] = addables,
): Promise<boolean> {
  if (isBundled(name)) throw cannotRemoveBundled(name);
  const published = catalogue.find(({ card }) => card.name === name);
  if (!published) throw unknownModel(name, catalogue);
  const { folder } = addedModel(published.card, cacheFolder);
  // A folder that cannot be looked at is there: the rename says what is wrong.
  const isAbsent = (cause: unknown) => codeOf(cause) === 'ENOENT' || codeOf(cause) === 'ENOTDIR';
  if (await stat(folder).then(() => false, isAbsent)) return false;
  return withStagingFolder(cacheFolder, async (staging) => {
    try {
      // By one rename: a removal that is stopped leaves no half of a model.
      await rename(folder, join(staging, 'removed'));
      return true;
    } catch (cause) {
      if (codeOf(cause) === 'ENOENT') return false;
      throw cannotWrite(folder, cause);
    }
  });
}

async function look(model: Installed, { verify }: ListOptions): Promise<{ bytes: number; intact?: boolean }> {
  // A file that is missing has no size; whether all are there is another question.
  const sizes = await Promise.all(
    Object.keys(model.card.files).map(
      async (file) => (await stat(modelPath(model, file)).catch(() => undefined))?.size ?? 0,
    ),
  );
  const bytes = sizes.reduce((sum, size) => sum + size, 0);
  return verify ? { bytes, intact: await isIntact(model) } : { bytes };
}

function cannotRemoveBundled(name: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The model ${name} is part of the package and cannot be removed.`,
    'Name a model that was added: quarry model list shows them.',
  );
}
