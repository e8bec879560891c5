/** Rows of token numbers from the bytes of a binary request; undefined when they are not well-formed. */
export function readTokenMessage(bytes: Buffer): number[][] | undefined {
  if (bytes.length < 4) return undefined;
  const count = bytes.readUInt32LE(0);
  let at = 4 + 4 * count;
  if (at > bytes.length) return undefined;
  const rows: number[][] = [];
  for (let row = 0; row < count; row += 1) {
    const length = bytes.readUInt32LE(4 + 4 * row);
    if (at + 2 * length > bytes.length) return undefined;
    const start = at;
    rows.push(Array.from({ length }, (_, index) => bytes.readUInt16LE(start + 2 * index)));
    at += 2 * length;
  }
  return at === bytes.length ? rows : undefined;
}

/** Vectors one after the other as little-endian numbers of 32 or 16 bits. */
export function vectorBytes(vectors: readonly Float32Array[], type: 'float32' | 'float16'): Buffer {
  const size = type === 'float32' ? 4 : 2;
  const dimensions = vectors[0]?.length ?? 0;
  const bytes = Buffer.alloc(vectors.length * dimensions * size);
  let at = 0;
  for (const vector of vectors) {
    for (const value of vector) {
      if (type === 'float32') bytes.writeFloatLE(value, at);
      else bytes.writeUInt16LE(float16Bits(value), at);
      at += size;
    }
  }
  return bytes;
}

/** The nearest float16 toward zero. */
function float16Bits(value: number): number {
  if (Number.isNaN(value)) return 0x7e00;
  const sign = value < 0 || Object.is(value, -0) ? 0x8000 : 0;
  const size = Math.abs(value);
  if (size === 0) return sign;
  if (size >= 65_520) return sign | 0x7c00;
  const exponent = Math.max(-14, Math.floor(Math.log2(size)));
  const fraction = Math.floor(size * 2 ** (10 - exponent));
  return sign | (fraction < 1024 ? fraction : ((exponent + 15) << 10) | (fraction - 1024));
}
