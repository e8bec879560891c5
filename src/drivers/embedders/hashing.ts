import { createHash } from 'node:crypto';
import { z } from 'zod';
import { defineDriver } from '../../contracts/driver.ts';
import type { Embedder } from '../../contracts/embedder.ts';
import { interrupted } from '../../core/errors.ts';
import { terms } from '../../core/text/terms.ts';

/** Deterministic vectors from the words of a text, with no model: texts that share words are near each other. */
export function createHashingEmbedder({ dimensions = 64, maxTokens = 256 } = {}): Embedder {
  return {
    fingerprint: `hashing:${dimensions}`,
    dimensions,
    maxTokens,
    limits: { batchTexts: 256, concurrency: 1, gainsFromSize: false },
    facts: { model: 'word hashing' },
    countTokens: (text) => terms(text).length,
    async embed(texts, { signal }) {
      if (signal?.aborted) throw interrupted(signal.reason);
      return texts.map((text) => hashedVector(text, dimensions));
    },
    async close() {},
  };
}

export default defineDriver({
  name: 'hashing',
  summary: 'Deterministic word hashing with no model, for tests.',
  options: z.strictObject({ dimensions: z.int().min(8).max(4096).default(64) }),
  requires: [],
  open: async ({ dimensions }) => createHashingEmbedder({ dimensions }),
});

function hashedVector(text: string, dimensions: number): Float32Array {
  const vector = new Float32Array(dimensions);
  const words = terms(text);
  // A text without any word still needs a direction: its own bytes give one.
  for (const word of words.length > 0 ? words : [`\0${text}`]) {
    const digest = createHash('sha256').update(word).digest();
    for (let draw = 0; draw < 4; draw += 1) {
      const place = digest.readUInt32LE(draw * 8) % dimensions;
      const sign = (digest[draw * 8 + 4] ?? 0) % 2 === 0 ? 1 : -1;
      vector[place] = (vector[place] as number) + sign;
    }
  }
  const length = Math.hypot(...vector);
  if (length === 0) {
    vector[0] = 1;
    return vector;
  }
  return vector.map((value) => value / length);
}
