/** What the window holds before the first byte: what most RTF begins with. */
const before =
  '{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx';
const windowSize = 4096;

/** Unpacks the RTF of an Outlook message up to the bound; undefined when it is not packed in this way. */
export function unpackRtf(packed: Uint8Array, bound: number): Uint8Array | undefined {
  if (packed.length < 16) return undefined;
  const view = new DataView(packed.buffer, packed.byteOffset, packed.byteLength);
  const kind = view.getUint32(8, true);
  const max = Math.min(bound, view.getUint32(4, true));
  if (kind === 0x414c454d) return packed.subarray(16, 16 + max);
  if (kind !== 0x75465a4c) return undefined;
  const window = new Uint8Array(windowSize);
  window.set(Buffer.from(before, 'latin1'));
  // Two bytes stand for 17 at most.
  const unpacked = new Uint8Array(Math.min(max, packed.length * 9));
  let length = 0;
  let write = before.length;
  const put = (byte: number): void => {
    if (length < unpacked.length) unpacked[length] = byte;
    length += 1;
    window[write] = byte;
    write = (write + 1) % windowSize;
  };
  let at = 16;
  while (at < packed.length && length < max) {
    const flags = packed[at] ?? 0;
    at += 1;
    for (let bit = 0; bit < 8 && at < packed.length && length < max; bit += 1) {
      if ((flags & (1 << bit)) === 0) {
        put(packed[at] ?? 0);
        at += 1;
        continue;
      }
      const reference = ((packed[at] ?? 0) << 8) | (packed[at + 1] ?? 0);
      at += 2;
      const from = reference >> 4;
      if (from === write) return unpacked.subarray(0, length);
      for (let step = 0; step < (reference & 15) + 2; step += 1) put(window[(from + step) % windowSize] ?? 0);
    }
  }
  return unpacked.subarray(0, length);
}
