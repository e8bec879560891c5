import { readFileSync } from 'node:fs';
import { QuarryError } from '../../core/errors.ts';
import { sha256 } from '../../core/identity.ts';
import { packagePath } from '../../platform/package-folder.ts';
import { bundledModel } from '../catalogue.ts';
import type { FilesCard } from '../model-card.ts';
import { type PackedPieces, unpackPieces } from './piece-trie.ts';
import { createWordPiece, type TextTokenizer } from './wordpiece.ts';

/**
 * The pieces of the bundled tokenizer as numbers, made by `scripts/pack-pieces.ts` from its `tokenizer.json`, and their hash: to read that file
 * and to build the trie would cost each thread a tenth of a second.
 */
export const bundledPieces = {
  path: packagePath('models/all-MiniLM-L6-v2/pieces.bin'),
  hash: '79f3a47530a285c2f5d654ea807126707515dd1c25c1e85acab70bb4b4d88322',
};

/** The tokenizer that comes with the package: sizes in settings and estimates for models elsewhere are in its tokens. */
export function bundledTokenizer(): TextTokenizer {
  shared ??= createWordPiece(() => readPieces(bundledPieces));
  return shared;
}
let shared: TextTokenizer | undefined;

/**
 * The size of a text for a prompt: its tokens, and at least one for each stretch of `stretchOfToken` characters. A word of any length, and
 * any white space, is one token or none here; the model that reads the prompt takes them piece by piece.
 */
export function promptTokens(text: string): number {
  return Math.max(bundledTokenizer().encode(text).length, Math.floor(text.length / stretchOfToken));
}
const stretchOfToken = 16;

/** Whether a model cuts text as the bundled one does. */
export function isCutAsBundled({ files }: { readonly files: FilesCard['files'] }): boolean {
  return files['tokenizer.json'] === bundledModel.files['tokenizer.json'];
}

function readPieces({ path, hash }: typeof bundledPieces): PackedPieces {
  const bytes = readBytes(path);
  if (sha256(bytes) === hash) return unpackPieces(bytes);
  throw new QuarryError('model-not-found', `The model file ${path} is not the one of this version.`, remedy);
}

function readBytes(path: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new QuarryError('model-not-found', `The model file ${path} cannot be read.`, remedy, { cause });
  }
}

const remedy = 'Install the package again.';
