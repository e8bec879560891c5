import { QuarryError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';
import { type Names, quoted } from './names.ts';
import type { Ask, Pool } from './pool.ts';

/**
 * The steps that lead from an empty schema to today's layout; `state` remembers how many were taken. Append only: a step
 * that was once released is never edited.
 */
const steps: readonly ((names: Names) => string[])[] = [
  ({ index, vector }) => [
    // Every write begins by locking this row, so that there is one writer at a time. Revisions begin at the clock: those
    // of a database that was rebuilt are never those that a reader remembers.
    `CREATE TABLE ${index}.state (
       only_row boolean PRIMARY KEY DEFAULT true CHECK (only_row),
       layout integer NOT NULL,
       text_recipe text NOT NULL,
       revision bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000)::bigint,
       documents_revision bigint NOT NULL DEFAULT 0,
       chunks bigint NOT NULL DEFAULT 0,
       words bigint NOT NULL DEFAULT 0
     )`,
    `INSERT INTO ${index}.state (layout, text_recipe) VALUES (0, '')`,
    // Paths may be longer than an index takes: they are found by their hash.
    `CREATE TABLE ${index}.documents (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       id text COLLATE "C" NOT NULL UNIQUE,
       uri_key text COLLATE "C" NOT NULL UNIQUE,
       uri text COLLATE "C" NOT NULL,
       title text NOT NULL,
       type text COLLATE "C" NOT NULL,
       origin text COLLATE "C" NOT NULL,
       language text COLLATE "C" NOT NULL,
       media_type text NOT NULL,
       revision text NOT NULL,
       modified_at double precision NOT NULL,
       metadata text NOT NULL
     )`,
    // One row for each distinct embedded text; chunks with equal texts share it and so share its vectors.
    `CREATE TABLE ${index}.embeddings (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       key text COLLATE "C" NOT NULL UNIQUE
     )`,
    `CREATE TABLE ${index}.chunks (
       number bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       document bigint NOT NULL REFERENCES ${index}.documents,
       embedding bigint NOT NULL REFERENCES ${index}.embeddings,
       id text COLLATE "C" NOT NULL,
       ordinal integer NOT NULL,
       span_start integer NOT NULL,
       span_end integer NOT NULL,
       first_line integer NOT NULL,
       last_line integer NOT NULL,
       place text,
       written_at double precision,
       text text COLLATE "C" NOT NULL,
       header text NOT NULL,
       section text NOT NULL,
       symbol text,
       symbol_kind text COLLATE "C" NOT NULL,
       metadata text NOT NULL,
       text_key text COLLATE "C" NOT NULL
     )`,
    `CREATE INDEX ON ${index}.chunks (document, ordinal)`,
    `CREATE INDEX ON ${index}.chunks (embedding)`,
    // What a chunk is found by. In line and not compressed: a search looks into many of them.
    `CREATE TABLE ${index}.chunk_terms (
       chunk bigint PRIMARY KEY REFERENCES ${index}.chunks,
       length integer NOT NULL,
       terms tsvector NOT NULL
     ) WITH (toast_tuple_target = 8160)`,
    `ALTER TABLE ${index}.chunk_terms ALTER terms SET STORAGE EXTERNAL`,
    `CREATE INDEX ON ${index}.chunk_terms USING gin (terms)`,
    // In how many chunks each word stands.
    `CREATE TABLE ${index}.words (
       word text COLLATE "C" PRIMARY KEY,
       chunks integer NOT NULL
     ) WITH (fillfactor = 70)`,
    `CREATE TABLE ${index}.spaces (
       number integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
       name text COLLATE "C" NOT NULL UNIQUE,
       dimensions integer NOT NULL,
       embedded bigint NOT NULL DEFAULT 0
     )`,
    `CREATE TABLE ${index}.vectors (
       space integer NOT NULL REFERENCES ${index}.spaces,
       embedding bigint NOT NULL REFERENCES ${index}.embeddings ON DELETE CASCADE,
       vector ${vector}.halfvec NOT NULL,
       PRIMARY KEY (space, embedding)
     )`,
    `CREATE INDEX ON ${index}.vectors (embedding)`,
    `CREATE TABLE ${index}.manifest (
       uri_key text COLLATE "C" PRIMARY KEY,
       uri text COLLATE "C" NOT NULL,
       status text NOT NULL,
       size double precision NOT NULL,
       modified_at double precision NOT NULL,
       content_hash text NOT NULL,
       recipe text NOT NULL,
       chunks integer NOT NULL,
       reason text,
       detail text
     )`,
    `CREATE TABLE ${index}.facts (name text COLLATE "C" PRIMARY KEY, value text NOT NULL)`,
  ],
  // Readers go by the revision alone.
  ({ index }) => [`ALTER TABLE ${index}.state DROP COLUMN documents_revision`],
];

/** Makes the tables of the project and of the index where they are absent, and brings older ones to today's layout. */
export async function prepareIndex(
  pool: Pool,
  collectionSchema: string,
  schema: string,
  name: string,
): Promise<Names> {
  const project = quoted(collectionSchema);
  const index = quoted(schema);
  const read = pool.read.bind(pool);
  await requireUnicode(pool);
  const extension = await vectorExtension(read, pool.place);
  if (extension && (await layoutOf(read, schema)) === steps.length) return { project, index, ...extension };
  return pool.transaction(async (ask) => {
    await lockFor(ask, collectionSchema);
    await makeProject(ask, collectionSchema);
    if (!extension) await ask('CREATE EXTENSION IF NOT EXISTS vector');
    const present = extension ??
      (await vectorExtension(ask, pool.place)) ?? { vector: 'public', walksOn: false };
    const names: Names = { project, index, ...present };
    const known = await layoutOf(ask, schema);
    if (known === undefined) await ask(`CREATE SCHEMA IF NOT EXISTS ${index}`);
    if ((known ?? 0) > steps.length) throw tooNew(pool.place);
    for (const step of steps.slice(known ?? 0)) for (const statement of step(names)) await ask(statement);
    await ask(`UPDATE ${index}.state SET layout = $1`, [steps.length]);
    await ask(`INSERT INTO ${project}.indexes (name, number) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, [
      name,
      Number(/\d+$/.exec(name)?.[0] ?? 0),
    ]);
    return names;
  });
}

/** Makes the tables for locks and the list of indexes where they are absent. */
export async function prepareProject(pool: Pool, schema: string): Promise<void> {
  const [found] = await pool.read('SELECT to_regclass($1)::text AS leases', [`${quoted(schema)}.leases`]);
  if (found?.leases !== null) return;
  await pool.transaction(async (ask) => {
    await lockFor(ask, schema);
    await makeProject(ask, schema);
  });
}

async function makeProject(ask: Ask, schema: string): Promise<void> {
  const project = quoted(schema);
  await ask(`CREATE SCHEMA IF NOT EXISTS ${project}`);
  // A renewal changes no key and so waits for no writer; a takeover changes one, and waits for writes that were let in.
  await ask(`CREATE TABLE IF NOT EXISTS ${project}.leases (
    name text COLLATE "C" PRIMARY KEY,
    token bigint GENERATED BY DEFAULT AS IDENTITY,
    holder text NOT NULL,
    expires_at timestamptz NOT NULL,
    UNIQUE (name, token)
  )`);
  await ask(`CREATE TABLE IF NOT EXISTS ${project}.indexes (
    name text COLLATE "C" PRIMARY KEY,
    number integer NOT NULL,
    is_current boolean NOT NULL DEFAULT false
  )`);
}

/** Two processes that come first at once make the tables one after the other. */
async function lockFor(ask: Ask, schema: string): Promise<void> {
  const key = BigInt.asIntN(64, BigInt(`0x${sha256(schema).slice(0, 16)}`));
  await ask('SELECT pg_advisory_xact_lock($1::bigint)', [key.toString()]);
}

/** How many steps the index has taken; undefined where it is not there. */
async function layoutOf(ask: Ask, schema: string): Promise<number | undefined> {
  const state = `${quoted(schema)}.state`;
  const [found] = await ask('SELECT to_regclass($1)::text AS state', [state]);
  if (found?.state === null) return undefined;
  const [row] = await ask(`SELECT layout FROM ${state}`);
  return row ? Number(row.layout) : undefined;
}

async function requireUnicode(pool: Pool): Promise<void> {
  const [row] = await pool.read("SELECT current_setting('server_encoding') AS encoding");
  if (row?.encoding === 'UTF8') return;
  throw new QuarryError(
    'store-unusable',
    `The database ${pool.place} has the encoding ${String(row?.encoding)}.`,
    'Create a database with the encoding UTF8: createdb --encoding UTF8 --template template0 NAME',
  );
}

/** What this database has of pgvector; undefined where it is not there. */
async function vectorExtension(
  ask: Ask,
  place: string,
): Promise<Pick<Names, 'vector' | 'walksOn'> | undefined> {
  const [row] = await ask(
    `SELECT n.nspname AS name, e.extversion AS version FROM pg_extension e
     JOIN pg_namespace n ON n.oid = e.extnamespace WHERE e.extname = 'vector'`,
  );
  if (!row) return undefined;
  const [major = 0, minor = 0] = String(row.version).split('.').map(Number);
  const release = 1000 * major + minor;
  if (release >= 7) return { vector: quoted(String(row.name)), walksOn: release >= 8 };
  throw new QuarryError(
    'store-unusable',
    `The database ${place} has pgvector ${String(row.version)}; 0.7 or newer is needed.`,
    'Install a newer pgvector on the server, then run: ALTER EXTENSION vector UPDATE',
  );
}

function tooNew(place: string): QuarryError {
  return new QuarryError(
    'store-too-new',
    `The index in ${place} was written by a newer Quarry.`,
    'Install the newest Quarry on this machine.',
  );
}
