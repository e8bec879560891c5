import { createHmac, hash, timingSafeEqual } from 'node:crypto';

/** Bytes of a proof: nobody guesses one, and a row does not grow much by it. */
const proofBytes = 16;

/**
 * Shows that data which lies where others can write was written with a key: somebody who does not have it can neither make
 * a proof nor move one to other data.
 */
export interface Proof {
  /** The proof of these values, as something of this kind. */
  of(kind: string, values: readonly unknown[]): Buffer;
  /** Whether this is their proof. */
  holds(proof: unknown, kind: string, values: readonly unknown[]): boolean;
  /** Proves bytes that come piece by piece. */
  ofPieces(kind: string): { add(piece: Uint8Array): void; end(): Buffer };
}

/** Proofs with a key, for things of one place: the proof of something elsewhere does not hold here. */
export function createProof(key: Uint8Array, place: string): Proof {
  const secret = Buffer.from(key).toString('hex') + encoded(place);
  // The secret first, and a quarter of SHA-512: of what is left out nobody can continue the hash. An HMAC, which guards a
  // whole hash against that, takes four times as long, and a search proves hundreds of rows.
  const of = (kind: string, values: readonly unknown[]): Buffer => {
    let text = secret + encoded(kind);
    for (const value of values) text += encoded(value);
    return hash('sha512', text, 'buffer').subarray(0, proofBytes);
  };
  return {
    of,
    holds: (proof, kind, values) =>
      proof instanceof Uint8Array && proof.length === proofBytes && timingSafeEqual(of(kind, values), proof),
    ofPieces(kind) {
      const hmac = createHmac('sha512', secret).update(encoded(kind));
      return {
        add: (piece) => void hmac.update(piece),
        end: () => hmac.digest().subarray(0, proofBytes),
      };
    },
  };
}

/** The kind and the length stand before each value, so that nothing can move from one value to the next unnoticed. */
function encoded(value: unknown): string {
  const text = value instanceof Uint8Array ? Buffer.from(value).toString('latin1') : String(value);
  return `${value instanceof Uint8Array ? 'bytes' : typeof value}:${text.length}:${text}`;
}
