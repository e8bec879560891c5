import type { Extractor } from '../../contracts/extractor.ts';

/** Bytes looked at to tell text from binary content. */
const probeBytes = 8192;

/** Text in UTF-8, UTF-16 or, failing both, Windows-1252; anything with binary content is skipped. */
export function createTextExtractor(): Extractor {
  return {
    async extract({ bytes }) {
      const decoded = decodeText(bytes);
      if (!decoded) return { kind: 'skip', reason: 'binary', rule: 'binary content' };
      if (decoded.text.trim() === '')
        return { kind: 'skip', reason: 'empty', rule: 'nothing but white space' };
      return {
        kind: 'text',
        text: decoded.text,
        ...(decoded.lossy && { degraded: 'not valid UTF-8: read as Windows-1252' }),
      };
    },
  };
}

export default createTextExtractor;

/** Decodes bytes as text, or gives undefined when they are none. */
export function decodeText(bytes: Uint8Array): { text: string; lossy: boolean } | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return { text: decode('utf-16le', bytes), lossy: false };
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return { text: decode('utf-16be', bytes), lossy: false };
  const probe = bytes.subarray(0, probeBytes);
  if (probe.includes(0)) return undefined;
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), lossy: false };
  } catch {
    return looksBinary(probe) ? undefined : { text: decode('windows-1252', bytes), lossy: true };
  }
}

function decode(encoding: string, bytes: Uint8Array): string {
  return new TextDecoder(encoding).decode(bytes);
}

/** More than one control character in thirty is not a text in any single-byte encoding. */
function looksBinary(probe: Uint8Array): boolean {
  let controls = 0;
  for (const byte of probe) if (byte < 32 && (byte < 9 || byte > 13) && byte !== 27) controls += 1;
  return controls * 30 > probe.length;
}
