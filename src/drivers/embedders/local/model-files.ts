import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { QuarryError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';

/** What is known of a model before it is loaded. */
export interface ModelCard {
  readonly name: string;
  readonly dimensions: number;
  /** Tokens the model sees at once, special tokens included. */
  readonly windowTokens: number;
  /** Published SHA-256 of each file. */
  readonly files: { readonly 'model.onnx': string; readonly 'tokenizer.json': string };
}

/** The models whose weights travel inside the package. */
export const bundledModels: readonly ModelCard[] = [
  {
    name: 'all-MiniLM-L6-v2',
    dimensions: 384,
    windowTokens: 256,
    files: {
      'model.onnx': 'afdb6f1a0e45b715d0bb9b11772f032c399babd23bfc31fed1c170afc848bdb1',
      'tokenizer.json': 'da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0',
    },
  },
];

/** The card of a bundled model, or an error that lists the ones there are. */
export function findModel(name: string): ModelCard {
  const card = bundledModels.find((model) => model.name === name);
  if (card) return card;
  const names = bundledModels.map((model) => model.name).join(', ');
  throw new QuarryError(
    'model-not-found',
    `There is no local model named "${name}".`,
    `Set embedder.model to one of: ${names}.`,
  );
}

/** Where the package keeps its models; the same two steps up from `src/` and from `dist/`. */
export const bundledModelsFolder = fileURLToPath(new URL('../../../../models/', import.meta.url));

/** Reads one file of a model and refuses it unless it has the published hash. */
export async function readModelFile(
  card: ModelCard,
  file: keyof ModelCard['files'],
  folder: string,
): Promise<Buffer> {
  const path = join(folder, card.name, file);
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw new QuarryError(
      'model-not-found',
      `The model file ${path} cannot be read.`,
      'Install the package again.',
      {
        cause,
      },
    );
  });
  const hash = sha256(bytes);
  if (hash !== card.files[file]) {
    throw new QuarryError(
      'model-corrupt',
      `The model file ${path} has the hash ${hash}, not the published ${card.files[file]}.`,
      'Install the package again; do not use the file.',
    );
  }
  return bytes;
}
