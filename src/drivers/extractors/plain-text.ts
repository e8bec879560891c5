import type { Extraction, RawFile } from '../../contracts/extractor.ts';
import { degradation } from './bounds.ts';
import { decodeText, guessedEncoding } from './decode-text.ts';

/**
 * Text under a name that stands for another format too. It is cut by the chunker that is named: the one of that format would
 * not know it.
 */
export async function plainText({ bytes }: RawFile, chunker: 'lines' | 'prose'): Promise<Extraction> {
  const decoded = await decodeText(bytes);
  if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
  return { kind: 'text', text: decoded.text, chunker, ...degradation(guessedEncoding(decoded)) };
}
