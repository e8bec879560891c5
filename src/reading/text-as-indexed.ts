import { decodeText } from '../drivers/extractors/decode-text.ts';
import { redactSecrets } from '../secrets/redact-secrets.ts';
import { formatOf } from './formats.ts';

/** Formats whose text is that of the file, so that lines and spans hold. */
const verbatim: readonly string[] = ['text', 'markdown'];

/**
 * The text of a file as an index holds it, of a format whose text stays as it was written; undefined for any other, whose text is
 * made by reading it.
 */
export async function textAsIndexed(
  uri: string,
  bytes: Uint8Array,
  isRedacted: boolean,
): Promise<string | undefined> {
  if (!verbatim.includes(formatOf(uri).extractor)) return undefined;
  const decoded = await decodeText(bytes);
  if (!decoded) return undefined;
  return isRedacted ? redactSecrets(decoded.text).text : decoded.text;
}
