import { randomBytes } from 'node:crypto';

/** A mark of one answer; a document cannot know it. */
export function newNonce(bytes = 8): string {
  return randomBytes(bytes).toString('hex');
}

/** A mark that the text does not hold, should it hold the one that was drawn. */
export function nonceFor(text: string, draw: () => string = newNonce): string {
  for (;;) {
    const nonce = draw();
    if (!text.includes(nonce)) return nonce;
  }
}
