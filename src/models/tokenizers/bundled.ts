import { once } from '../../platform/once.ts';
import { bundledInstallation, readModelFile } from '../model-files.ts';
import { createWordPiece, type TextTokenizer, type TokenizerFile } from './wordpiece.ts';

/** The tokenizer that comes with the package: sizes in settings and estimates for models elsewhere are in its tokens. */
export const bundledTokenizer = once(async (): Promise<TextTokenizer> => {
  const bytes = await readModelFile(bundledInstallation, 'tokenizer.json');
  return createWordPiece(() => JSON.parse(new TextDecoder().decode(bytes)) as TokenizerFile);
});
