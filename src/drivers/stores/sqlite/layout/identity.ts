import { randomUUID } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { createProof, type Proof } from '../../../../platform/proof.ts';
import { inTransaction } from '../../../../platform/sqlite/transaction.ts';
import { foreignIndex } from './foreign.ts';
import { assertKnownLayout, recogniseLayout } from './schema.ts';

/** The place of the proofs of identities: every index has one, and is a place of its own to what is in it. */
const identities = 'sqlite indexes';

/** More changes than a file ever sees. */
const maxRevisions = 2 ** 48;

/** Proofs for what stands in an index, by its name. */
function proofIn(key: Uint8Array, name: string): Proof {
  return createProof(key, `sqlite index ${name}`);
}

/** Gives a new file a name, and the proof that it was made with this key. */
export function identify(database: DatabaseSync, key: Uint8Array): void {
  const name = randomUUID();
  const proof = createProof(key, identities).of('identity', [name]);
  database.prepare('INSERT INTO identity VALUES (?, ?)').run(name, proof);
}

/** A value of a stranger's file may have any length: one that is longer than ours is not read. */
function short(column: string): string {
  return `CASE WHEN octet_length(${column}) <= 64 THEN ${column} END`;
}

/** The proofs of a file that was made with this key. Its layout is known to be ours. */
export function readIdentity(database: DatabaseSync, path: string, key: Uint8Array): Proof {
  const rows = database
    .prepare(`SELECT ${short('name')} AS name, ${short('proof')} AS proof FROM identity LIMIT 2`)
    .all();
  const [row] = rows;
  if (!row || rows.length > 1 || !createProof(key, identities).holds(row.proof, 'identity', [row.name]))
    throw foreignIndex(path, 'it does not have the proof of your key, own.key in your data folder');
  return proofIn(key, String(row.name));
}

/**
 * Throws `store-foreign` unless the file is new, or ours and made with this key. Nothing is written, and nothing that
 * the file brings along is run.
 */
export function recognise(database: DatabaseSync, path: string, key: Uint8Array): void {
  // In one state of the file: another process may be making it.
  inTransaction(database, 'read', () => requireOwn(database, path, key));
}

function requireOwn(database: DatabaseSync, path: string, key: Uint8Array): void {
  const version = recogniseLayout(database, path);
  if (version === undefined) return;
  readIdentity(database, path, key);
  assertKnownLayout(version, path);
  // A count of changes that none can follow would leave the file beyond use and repair.
  const beyond = `SELECT 1 FROM revision WHERE typeof(value) <> 'integer' OR value NOT BETWEEN 0 AND ${maxRevisions}`;
  if (database.prepare(beyond).get()) throw foreignIndex(path, 'its count of changes is not ours');
}
