import type { MissingVector, Store } from '../contracts/store.ts';
import { embeddingKey } from '../core/identity.ts';
import { isUnreadable, requireGoing } from './findings.ts';

/** A space that no embedder has: every text lacks its vector there. */
const noSpace = 'quarry:none';
const textsAtOnce = 1_000;

/** Every distinct text of an index, some at a time. */
export async function* storedTexts(
  store: Store,
  signal: AbortSignal | undefined,
): AsyncGenerator<readonly MissingVector[]> {
  for (let after = 0; ; ) {
    requireGoing(signal);
    const texts = await store.missingVectors(noSpace, textsAtOnce, after);
    const last = texts.at(-1)?.position ?? after;
    if (texts.length > 0) yield texts;
    if (last <= after) return;
    after = last;
  }
}

/** Which texts are kept under which keys. */
export interface TextKeys {
  /** Whether a text of this key is kept under it, and none under another one. */
  isInPlace(key: string): boolean;
}

/** Reads the keys of all texts: some 40 bytes of memory each. */
export async function readTextKeys(store: Store, signal: AbortSignal | undefined): Promise<TextKeys> {
  const present = new Set<number>();
  const misplaced = new Set<string>();
  try {
    for await (const texts of storedTexts(store, signal)) {
      for (const { embeddingKey: key, text } of texts) {
        const right = embeddingKey(text);
        if (key === right) present.add(short(key));
        else misplaced.add(right);
      }
    }
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    // The document with the text that cannot be read is found when its chunks are.
    return { isInPlace: () => true };
  }
  return { isInPlace: (key) => present.has(short(key)) && !misplaced.has(key) };
}

/** The first 48 bits: more than enough to tell texts apart that are not where they should be. */
function short(key: string): number {
  return Number.parseInt(key.slice(0, 12), 16);
}
