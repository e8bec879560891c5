import { keptHash } from '../core/documents/kept-content.ts';
import type { Environment } from '../platform/environment.ts';
import { ownKey } from '../platform/own-key.ts';
import { createProof } from '../platform/proof.ts';

/** A project and the environment of its user, whose added content it holds. */
export interface KeptPlace {
  readonly folder: string;
  readonly environment: Environment;
}

/** Shows that added content was added by this user: its folder may have come with the project. */
export interface KeptProof {
  /** The proof that stands beside the hash of content. */
  prove(hash: string): string;
  /** Whether a file of added content, or its beginning, has that proof. */
  isOwn(bytes: Uint8Array): boolean;
}

/** Proofs with the key of the user. */
export async function keptProof({ environment }: Pick<KeptPlace, 'environment'>): Promise<KeptProof> {
  const proof = createProof((await ownKey(environment)).key, 'added content');
  return {
    prove: (hash) => proof.of('hash', [hash]).toString('hex'),
    isOwn(bytes) {
      const said = keptHash(bytes);
      return said?.proof !== undefined && proof.holds(Buffer.from(said.proof, 'hex'), 'hash', [said.hash]);
    },
  };
}
