import type pg from 'pg';
import { importOptional } from '../../../platform/import-optional.ts';
import { once } from '../../../platform/once.ts';
import type { Row } from '../sql-rows.ts';
import type { Address } from './address.ts';
import { databaseFailure, isLostConnection } from './failures.ts';

/** Sends a statement with values for `$1`, `$2`, … */
export type Ask = (statement: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Connections at once: searches run beside a writer and the renewal of its lease. */
const maxConnections = 10;
/** Seconds after which a connection that nobody uses is closed; until then it keeps no process from ending. */
const idleSeconds = 60;
/** Seconds for a connection, or for one of the others to be free. */
const connectSeconds = 20;
/** Seconds after which a statement is given up. */
const patienceSeconds = 60;

/** Milliseconds for a statement that may take as long as it needs; the client knows no other way to say so. */
const endless = 2 ** 31 - 1;

/**
 * Bounds on what a transaction may take: a paused process must not keep its locks, for a server that waits for them would
 * stand still with it.
 */
const begin = `BEGIN; SET LOCAL lock_timeout = '20s'; SET LOCAL idle_in_transaction_session_timeout = '10s';
  SET LOCAL statement_timeout =`;

/** The connections of this process to one database, shared by the stores, locks and lists of indexes that use it. */
export class Pool {
  readonly place: string;
  readonly #connections;
  readonly #patience: number;
  #holders = 0;

  constructor(address: Address, patience = patienceSeconds) {
    this.place = address.shown;
    this.#patience = patience;
    this.#connections = once(
      () => openConnections(address, patience),
      (connections) => connections.end(),
    );
  }

  /** Keeps the connections until the returned function is called. */
  hold(): () => Promise<void> {
    this.#holders += 1;
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) await this.#connections.close();
    };
  }

  /** One statement that only reads; sent once more where its connection ended under it. */
  async read(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    const attempt = () => this.#connected((client) => send(client, statement, values));
    try {
      return await attempt().catch((thrown: unknown) => {
        if (!isLostConnection(thrown)) throw thrown;
        return attempt();
      });
    } catch (thrown) {
      throw databaseFailure(thrown, this.place);
    }
  }

  /** Several statements in one transaction, which is undone where the work throws. */
  async transaction<Result>(work: (ask: Ask) => Promise<Result>): Promise<Result> {
    try {
      return await this.#connected(async (client) => {
        await client.query(`${begin} '${this.#patience}s'`);
        try {
          const result = await work((statement, values = []) => send(client, statement, values));
          await client.query('COMMIT');
          return result;
        } catch (thrown) {
          // Otherwise the connection is closed, which undoes the transaction as well.
          if (isAnswer(thrown)) await client.query('ROLLBACK');
          throw thrown;
        }
      });
    } catch (thrown) {
      throw databaseFailure(thrown, this.place);
    }
  }

  /** A connection for work outside of any transaction, such as building an index, which may take hours. */
  async alone<Result>(work: (ask: Ask, cancel: () => void) => Promise<Result>): Promise<Result> {
    try {
      return await this.#connected(async (client) => {
        const [own] = await send(client, 'SELECT pg_backend_pid() AS pid', []);
        // Where this does not arrive, the work continues to its end, and its caller has left.
        const cancel = () => void this.read('SELECT pg_cancel_backend($1)', [own?.pid]).catch(() => {});
        return work((statement, values = []) => send(client, statement, values, endless), cancel);
      });
    } catch (thrown) {
      throw databaseFailure(thrown, this.place);
    }
  }

  /** Work on a connection, which is used again afterwards unless it has failed or was left waiting. */
  async #connected<Result>(work: (client: pg.PoolClient) => Promise<Result>): Promise<Result> {
    const client = await (await this.#connections()).connect();
    // It may end between two statements: the next one then fails, and this must not end the process.
    const onError = () => {};
    client.on('error', onError);
    let isUsable = false;
    try {
      const result = await work(client);
      isUsable = true;
      return result;
    } catch (thrown) {
      isUsable = isAnswer(thrown);
      throw thrown;
    } finally {
      client.removeListener('error', onError);
      client.release(!isUsable);
    }
  }
}

async function openConnections(address: Address, patience: number): Promise<pg.Pool> {
  const { host, port, database, user, password, ssl } = address;
  const { Pool: Connections } = await importOptional('pg', 'The store postgres', () => import('pg'));
  const connections = new Connections({
    host,
    port,
    database,
    user,
    password,
    ssl: ssl && { rejectUnauthorized: ssl === 'verify-full' },
    max: maxConnections,
    idleTimeoutMillis: idleSeconds * 1000,
    connectionTimeoutMillis: connectSeconds * 1000,
    query_timeout: patience * 1000,
    allowExitOnIdle: true,
    keepAlive: true,
    application_name: 'quarry',
  });
  // One that ends while nobody uses it is replaced when it is needed.
  connections.on('error', () => {});
  return connections;
}

const pools = new Map<string, Pool>();

/** The connections of this process to a database. */
export function poolOf(address: Address): Pool {
  const key = JSON.stringify(address);
  const known = pools.get(key) ?? new Pool(address);
  pools.set(key, known);
  return known;
}

async function send(
  client: pg.PoolClient,
  text: string,
  values: readonly unknown[],
  query_timeout?: number,
): Promise<Row[]> {
  const query = { text, values: [...values], ...(query_timeout !== undefined && { query_timeout }) };
  return (await client.query<Row>(query)).rows;
}

/** Whether the server itself said no, after which the connection is as good as before. */
function isAnswer(thrown: unknown): boolean {
  const { cause } = thrown as { cause?: unknown };
  return [thrown, cause].every((error) => error === undefined || !isLostConnection(error)) && !isLate(thrown);
}

function isLate(thrown: unknown): boolean {
  return thrown instanceof Error && thrown.message === 'Query read timeout';
}
