/** A vector of unit length that depends on the words of a text alone; texts that share words are near each other. */
export function wordVector(text: string, dimensions: number): Float32Array {
  return hashedVector(serverTokens(text), dimensions);
}

/** What a service of tests counts as tokens: words, and every other visible character by itself. */
export function serverTokens(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}]+|\S/gu) ?? [];
}

/** The unit vector of a bag of tokens; each token adds to four dimensions. */
export function hashedVector(tokens: Iterable<string | number>, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  for (const token of tokens) {
    let state = hashOf(String(token));
    for (let draw = 0; draw < 4; draw += 1) {
      state = Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9;
      const place = (state >>> 1) % dimensions;
      vector[place] = (vector[place] as number) + (state & 1 ? 1 : -1);
    }
  }
  const length = Math.hypot(...vector);
  if (length > 0) return vector.map((value) => value / length);
  vector[0] = 1;
  return vector;
}

function hashOf(token: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < token.length; at += 1) hash = Math.imul(hash ^ token.charCodeAt(at), 0x01000193);
  return hash;
}
