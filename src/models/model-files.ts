import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import { isModelPath } from '../core/settings/model-path.ts';
import { processEnvironment, userCacheFolder } from '../platform/environment.ts';
import { packagePath } from '../platform/package-folder.ts';
import { addedModel } from './added-models.ts';
import {
  bundledModel,
  bundledModels,
  bundledQueryModel,
  type Catalogue,
  type Published,
  publishedModels,
} from './catalogue.ts';
import { type CheckedContent, readChecked } from './checked-files.ts';
import { hashOfFile } from './file-hash.ts';
import { refuseTooLarge } from './file-size.ts';
import type { FilesCard, Installed, InstalledModel, ModelCard } from './model-card.ts';

const folderOf = ({ name }: ModelCard) => packagePath(`models/${name}/`);

/** The model of questions inside the package, as it lies there. */
export const bundledQueryInstallation: InstalledModel = {
  card: bundledQueryModel,
  folder: folderOf(bundledQueryModel),
};

/** The model of chunks inside the package, as it lies there. */
export const bundledInstallation: InstalledModel = {
  card: bundledModel,
  folder: folderOf(bundledModel),
  tokenizer: join('..', bundledQueryModel.name, 'tokenizer.json'),
};

/** The model inside the package that has this name. */
export function bundledByName(name: string): InstalledModel | undefined {
  return [bundledInstallation, bundledQueryInstallation].find(({ card }) => card.name === name);
}

/** The absolute path of one of a model's files. */
export function modelPath<Card extends FilesCard>(
  model: Installed<Card>,
  file: keyof Card['files'] & string,
): string {
  const { folder, weights, tokenizer }: Installed & Pick<InstalledModel, 'weights' | 'tokenizer'> = model;
  const elsewhere: Readonly<Record<string, string | undefined>> = {
    'model.onnx': weights,
    'tokenizer.json': tokenizer,
  };
  return join(folder, elsewhere[file] ?? file);
}

/** The model of this name or in this folder, or an error that says how to get it. */
export async function findModel(
  name: string,
  cacheFolder: string,
  catalogue: Catalogue = publishedModels,
): Promise<InstalledModel> {
  const bundled = bundledByName(name);
  if (bundled) return bundled;
  // Its schemas are loaded here, so that a thread that only counts tokens does not load them.
  if (isModelPath(name)) return (await import('./model-folder.ts')).openModelFolder(name);
  const published = catalogue.find(({ card }) => card.name === name);
  if (!published) throw unknownModel(name, catalogue);
  const model = addedModel(published.card, cacheFolder);
  if (await isPresent(model)) return model;
  throw new QuarryError(
    'model-not-found',
    `The model ${name} is not on this machine.`,
    `Run: quarry model add ${name}`,
  );
}

/** Whether all files of a model are there; their content is checked when they are read. */
export async function isPresent(model: Installed): Promise<boolean> {
  // What cannot be looked at cannot be loaded either.
  const found = await Promise.all(
    Object.keys(model.card.files).map((file) => stat(modelPath(model, file)).catch(() => undefined)),
  );
  return found.every((file) => file?.isFile());
}

/** Whether all files of a model are there and have the hashes on its card. */
export async function isIntact(model: Installed): Promise<boolean> {
  for (const file of Object.keys(model.card.files)) {
    // What cannot be read is not intact.
    const hash = await hashOfFile(modelPath(model, file)).catch(() => undefined);
    if (hash !== model.card.files[file]) return false;
  }
  return true;
}

/** Reads one file of a model and refuses it unless it has the hash on its card. `checked` keeps what was checked. */
export async function readModelFile<Card extends FilesCard>(
  model: Installed<Card>,
  file: keyof Card['files'] & string,
  checked = join(userCacheFolder(processEnvironment), 'checked'),
): Promise<Uint8Array> {
  const path = modelPath(model, file);
  const expected = model.card.files[file] ?? '';
  const { bytes, hash } = await readWhole(path, expected, checked, model.remedy);
  if (hash === expected) return bytes;
  throw new QuarryError(
    'model-not-found',
    `The model file ${path} has the hash ${hash}, not the expected ${expected}.`,
    model.remedy ?? 'Install the package again; do not use the file.',
  );
}

/** The error for a name that means nothing, with the names that do. */
export function unknownModel(name: string, catalogue: readonly Published[]): QuarryError {
  const names = [...bundledModels, ...catalogue].map(({ card }) => card.name);
  return new QuarryError(
    'model-not-found',
    `There is no local model named "${name}".`,
    `Set embedder.model to the path of a folder, or to one of: ${names.join(', ')}.`,
  );
}

async function readWhole(
  path: string,
  expected: string,
  checked: string,
  remedy: string | undefined,
): Promise<CheckedContent> {
  try {
    await refuseTooLarge(path);
    return await readChecked(path, expected, checked);
  } catch (cause) {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'model-not-found',
      `The model file ${path} cannot be read.`,
      remedy ?? 'Install the package again.',
      { cause },
    );
  }
}
