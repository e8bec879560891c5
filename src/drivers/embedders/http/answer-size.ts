const mebibyte = 2 ** 20;

/** Bytes that one vector may take in an answer: enough for 10,000 values written out in full. */
const bytesPerVector = 256 * 1024;

/** Most bytes of an answer with so many vectors; what is longer is none that was asked for. */
export function mostAnswerBytes(vectors: number): number {
  return Math.min(mebibyte + vectors * bytesPerVector, 500 * mebibyte);
}
