const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openSquare, closeSquare, openCurly, closeCurly] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * The elements of an array of JSON, as bytes of each: an export of years is never in memory as values. Ends at the first byte
 * that is not where it should be; returns whether the array was whole.
 */
export function* jsonElements(bytes: Uint8Array): Generator<Uint8Array, boolean> {
  let at = skipSpace(bytes, bytes[0] === 0xef ? 3 : 0);
  if (bytes[at] !== openSquare) return false;
  for (at = skipSpace(bytes, at + 1); bytes[at] !== closeSquare; ) {
    const end = elementEnd(bytes, at);
    if (end === undefined) return false;
    yield bytes.subarray(at, end);
    at = skipSpace(bytes, end);
    if (bytes[at] === comma) at = skipSpace(bytes, at + 1);
    else if (bytes[at] !== closeSquare) return false;
  }
  return true;
}

/** The offset after the value that begins here; undefined where it has no end, or none begins. */
function elementEnd(bytes: Uint8Array, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at += 1; at < bytes.length && bytes[at] !== quote; at += 1) if (bytes[at] === backslash) at += 1;
      if (depth === 0) return at < bytes.length ? at + 1 : undefined;
    } else if (byte === openCurly || byte === openSquare) depth += 1;
    else if (byte === closeCurly || byte === closeSquare) {
      if (depth === 0) return at > start ? at : undefined;
      depth -= 1;
      if (depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at > start ? at : undefined;
  }
  return undefined;
}

function skipSpace(bytes: Uint8Array, from: number): number {
  let at = from;
  while (at < bytes.length && (bytes[at] ?? 33) <= 32) at += 1;
  return at;
}

/** The value that an element holds; undefined where it is not JSON. */
export function elementValue(element: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(element));
  } catch {
    // The reader counts and says what is no conversation.
    return undefined;
  }
}
