import postgres from 'postgres';
import type { Address } from './address.ts';
import { databaseFailure, isLostConnection, tooSlow } from './failures.ts';

/** A row as the server gives it. */
export type Row = Readonly<Record<string, unknown>>;

/** Sends a statement with values for `$1`, `$2`, … */
export type Ask = (statement: string, values?: readonly unknown[]) => Promise<Row[]>;

/** Connections at once: searches run beside a writer and the renewal of its lease. */
const mostConnections = 6;
/** Seconds after which a connection that nobody uses is closed. */
const idleSeconds = 60;
const connectSeconds = 10;
/** Seconds after which a statement is given up. */
const patienceSeconds = 60;
/** Milliseconds that connections stay open when nobody holds the pool: the next caller usually comes at once. */
const linger = 250;

/**
 * Bounds on what a transaction may take: a paused process must not keep its locks, for a server that waits for them would
 * stand still with it.
 */
const bounds = `SELECT set_config('lock_timeout', '20s', true),
  set_config('idle_in_transaction_session_timeout', '10s', true)`;

/** The connections of this process to one database, shared by the stores, locks and lists of indexes that use it. */
export class Pool {
  readonly place: string;
  readonly #address: Address;
  readonly #patience: number;
  #client: postgres.Sql | undefined;
  #holders = 0;
  #ending: NodeJS.Timeout | undefined;

  constructor(address: Address, patience = patienceSeconds) {
    this.#address = address;
    this.#patience = patience;
    this.place = address.shown;
  }

  /** Keeps the connections until the returned function is called. */
  hold(): () => Promise<void> {
    clearTimeout(this.#ending);
    this.#holders += 1;
    let isHeld = true;
    return async () => {
      if (!isHeld) return;
      isHeld = false;
      this.#holders -= 1;
      if (this.#holders === 0) await this.#end();
    };
  }

  /** Work that needs the connections for a moment. */
  async during<Result>(work: (pool: Pool) => Promise<Result>): Promise<Result> {
    clearTimeout(this.#ending);
    this.#holders += 1;
    try {
      return await work(this);
    } finally {
      this.#holders -= 1;
      if (this.#holders === 0) this.#ending = setTimeout(() => void this.#end(), linger);
    }
  }

  /** One statement that only reads; sent once more where its connection ended under it. */
  async read(statement: string, values: readonly unknown[] = []): Promise<Row[]> {
    const attempt = () => this.#send(this.#connected(), statement, values);
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
      const outcome = await this.#connected().begin(async (own) => {
        const ask: Ask = (statement, values = []) => this.#send(own, statement, values);
        const [, result] = await Promise.all([ask(bounds), work(ask)]);
        return { result };
      });
      return (outcome as { result: Result }).result;
    } catch (thrown) {
      throw databaseFailure(thrown, this.place);
    }
  }

  /** A connection for work outside of any transaction, such as building an index. */
  async alone<Result>(work: (ask: Ask, cancel: () => void) => Promise<Result>): Promise<Result> {
    const client = this.#connected();
    const own = await client.reserve().catch((thrown: unknown) => {
      throw databaseFailure(thrown, this.place);
    });
    let running: postgres.PendingQuery<Row[]> | undefined;
    try {
      const ask: Ask = (statement, values = []) => {
        running = own.unsafe<Row[]>(statement, values as never[]);
        return running;
      };
      return await work(ask, () => void running?.cancel());
    } catch (thrown) {
      throw databaseFailure(thrown, this.place);
    } finally {
      own.release();
    }
  }

  /** Sends a statement, and gives it up where no answer comes: a server that hangs must not hang its clients. */
  async #send(client: postgres.ISql, statement: string, values: readonly unknown[]): Promise<Row[]> {
    const query = client.unsafe<Row[]>(statement, values as never[], { prepare: true });
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        query.cancel();
        reject(tooSlow(this.place, this.#patience));
      }, this.#patience * 1000);
    });
    try {
      return await Promise.race([query, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  #connected(): postgres.Sql {
    const { host, port, database, user, password, ssl } = this.#address;
    this.#client ??= postgres({
      // As lists, which its types do not know: the client would take a plain IPv6 address for a host and a port.
      ...({ host: [host], port: [port] } as object),
      ...(host.startsWith('/') && { path: `${host}/.s.PGSQL.${port}` }),
      database,
      user,
      ...(password !== undefined && { password }),
      ssl,
      max: mostConnections,
      idle_timeout: idleSeconds,
      connect_timeout: connectSeconds,
      // Seconds before the next attempt after one that failed; the caller decides whether there is one.
      backoff: () => 0.1,
      connection: { application_name: 'quarry' },
      onnotice: () => {},
    });
    return this.#client;
  }

  async #end(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    await client?.end({ timeout: 5 });
  }
}

const pools = new Map<string, Pool>();

/** The connections of this process to a database. */
export function poolOf(address: Address): Pool {
  const key = JSON.stringify(address);
  const known = pools.get(key) ?? new Pool(address);
  pools.set(key, known);
  return known;
}
