import { randomUUID } from 'node:crypto';
import { QuarryError } from '../../../core/errors.ts';
import { createProof } from '../../../platform/proof.ts';

/** Writes what a row holds with the proof that this user wrote it, and reads only what has it. */
export interface Seal {
  write(kind: string, text: string): string;
  /** The text; one that was not sealed as this kind in this table is an error. */
  read(kind: string, text: unknown): string;
}

/** For tables outside of the project's folder: who may write there was settled with the permissions on it. */
export const noSeal: Seal = { write: (_, text) => text, read: (_, text) => String(text) };

/** Digits of a proof. */
const proofDigits = 32;

/** The seal of a table with this identity. */
function sealOf(key: Uint8Array, identity: string): Seal {
  const proof = createProof(key, `lancedb table ${identity}`);
  return {
    write: (kind, text) => `${text}\n${proof.of(kind, [text]).toString('hex')}`,
    read(kind, sealed) {
      const whole = String(sealed);
      const text = whole.slice(0, -proofDigits - 1);
      if (!proof.holds(Buffer.from(whole.slice(-proofDigits), 'hex'), kind, [text])) throw foreignRow();
      return text;
    },
  };
}

const tables = (key: Uint8Array) => createProof(key, 'lancedb tables');

/** A name for a new table, with the proof that it was made with this key. */
export function newIdentity(key: Uint8Array): string {
  const name = randomUUID();
  return `${name} ${tables(key).of('identity', [name]).toString('hex')}`;
}

/** The seal of a table by what `newIdentity` gave it; undefined where another key was used. */
export function sealFor(key: Uint8Array, identity: string): Seal | undefined {
  const [name = '', proof = ''] = identity.split(' ');
  return tables(key).holds(Buffer.from(proof, 'hex'), 'identity', [name]) ? sealOf(key, name) : undefined;
}

/** The error for a table in the project's folder that this user did not make. */
export function foreignTable(name: string): QuarryError {
  return new QuarryError(
    'store-foreign',
    `The table ${name} of LanceDB in the project was not made by you.`,
    'Move it away, then run: quarry index',
  );
}

/** The error for a row that this user did not write. */
export function foreignRow(): QuarryError {
  return new QuarryError(
    'store-foreign',
    'The index contains a text that you did not put there, or that was changed afterwards.',
    'Run: quarry index',
  );
}
