import { importOptional } from '../../platform/import-optional.ts';

/** Bytes that are examined to distinguish text from binary content, and encodings from each other. */
const probeBytes = 64 * 1024;

/** Text with the name of the encoding it was in. */
export interface DecodedText {
  /** Without a byte order mark. */
  readonly text: string;
  readonly encoding: string;
  /** Whether the encoding was guessed from the bytes rather than known. */
  readonly guessed: boolean;
}

/** Decodes bytes as text; undefined when they are not text. `declared` is the encoding that the file names. */
export async function decodeText(bytes: Uint8Array, declared?: string): Promise<DecodedText | undefined> {
  const marked = markedEncoding(bytes) ?? wideEncoding(bytes);
  if (marked) return known(bytes, marked);
  if (bytes.subarray(0, probeBytes).includes(0)) return undefined;
  const text = decodeExactly(bytes, 'utf-8');
  if (text !== undefined) return { text, encoding: 'utf-8', guessed: false };
  if (looksBinary(bytes.subarray(0, probeBytes))) return undefined;
  const stated = declared && decodeExactly(bytes, declared);
  if (stated) return { text: stated, encoding: declared.toLowerCase(), guessed: false };
  return guess(bytes);
}

/** The note for the user about a text whose encoding was guessed. */
export function guessedEncoding({ encoding, guessed }: DecodedText): string | undefined {
  return guessed ? `not valid UTF-8: read as ${encoding}` : undefined;
}

function known(bytes: Uint8Array, encoding: string): DecodedText {
  return { text: new TextDecoder(encoding).decode(bytes), encoding, guessed: false };
}

function markedEncoding(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  return undefined;
}

/**
 * UTF-16 without a mark: in text of any script, spaces, line ends and Latin letters put a zero in one half of the
 * pairs and hardly any in the other; the result must also be free of control characters and lone surrogates.
 */
function wideEncoding(bytes: Uint8Array): string | undefined {
  const probe = bytes.subarray(0, Math.min(bytes.length, 4096) & ~1);
  const zeros = [0, 0];
  for (let at = 0; at < probe.length; at += 1) if (probe[at] === 0) zeros[at & 1] = (zeros[at & 1] ?? 0) + 1;
  const [even = 0, odd = 0] = zeros;
  const pairs = probe.length >> 1;
  if (Math.max(even, odd) * 20 < pairs || Math.min(even, odd) * 50 > pairs || pairs < 2) return undefined;
  const encoding = odd > even ? 'utf-16le' : 'utf-16be';
  const text = new TextDecoder(encoding).decode(probe);
  return controlShare(text) < 1 / 100 && text.slice(0, -1).isWellFormed() ? encoding : undefined;
}

function controlShare(text: string): number {
  let controls = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if ((code < 32 && (code < 9 || code > 13)) || code === 0xfffd || code === 0xffff) controls += 1;
  }
  return controls / Math.max(1, text.length);
}

function decodeExactly(bytes: Uint8Array, encoding: string): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Not of this encoding.
    return undefined;
  }
}

/** Encodings that are recognised by their byte patterns; single-byte ones need far more text to be distinguished. */
const multiByte = new Set(['shift_jis', 'euc-jp', 'euc-kr', 'big5', 'gb18030']);
const singleByte = new Set([
  'windows-1251',
  'koi8-r',
  'iso-8859-2',
  'windows-1250',
  'iso-8859-7',
  'windows-1253',
]);

/** The likeliest legacy encoding that decodes without an error; Windows-1252 where none is likely. */
async function guess(bytes: Uint8Array): Promise<DecodedText> {
  const { analyse } = await importOptional('chardet', 'Reading old encodings', () => import('chardet'));
  for (const { name, confidence } of analyse(bytes.subarray(0, probeBytes))) {
    const encoding = name.toLowerCase();
    const likely =
      (multiByte.has(encoding) && confidence >= 30) || (singleByte.has(encoding) && confidence >= 50);
    const text = likely ? decodeExactly(bytes, encoding) : undefined;
    if (text !== undefined) return { text, encoding, guessed: true };
    if (confidence >= 50 && !likely) break;
  }
  return { ...known(bytes, 'windows-1252'), guessed: true };
}

/** More than one control character in thirty is not a text in any single-byte encoding. */
function looksBinary(probe: Uint8Array): boolean {
  let controls = 0;
  for (const byte of probe) if (byte < 32 && (byte < 9 || byte > 13) && byte !== 27) controls += 1;
  return controls * 30 > probe.length;
}
