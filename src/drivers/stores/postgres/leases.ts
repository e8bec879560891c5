import { hostname } from 'node:os';
import type { StoreLock, StoreLocks } from '../../../contracts/store.ts';
import { interrupted, type QuarryError } from '../../../core/errors.ts';
import { systemCodeOf } from '../../../core/failures/machine-failure.ts';
import { systemClock } from '../../../platform/clock.ts';
import { lockLost } from '../leases.ts';
import { prepareProject } from './layout.ts';
import { quoted } from './names.ts';
import type { Ask, Pool } from './pool.ts';

/** Seconds after which a lock that nobody renews may be taken over: its holder has ended, is paused or cannot be reached. */
const leaseSeconds = 15;
const renewEvery = 4_000;
/** Milliseconds between two attempts to take a lock that another holds. */
const lookAgainAfter = 300;

/** A lock of this process. The token rises with each owner, so that an earlier owner is recognised. */
interface Lease {
  readonly name: string;
  readonly token: string;
}

/** What this process holds of a project's locks. */
class HeldLeases {
  readonly all = new Set<Lease>();
  /** Releases that are on their way. */
  readonly leaving = new Map<string, Promise<void>>();
}

const heldByProject = new WeakMap<Pool, Map<string, HeldLeases>>();

function heldLeases(pool: Pool, schema: string): HeldLeases {
  const projects = heldByProject.get(pool) ?? new Map<string, HeldLeases>();
  heldByProject.set(pool, projects);
  const held = projects.get(schema) ?? new HeldLeases();
  projects.set(schema, held);
  return held;
}

/**
 * Fails where another process has taken over a lock that this one believes to hold: it was paused, or cut off, for longer
 * than a lease. Within the transaction of a write, so that nobody takes over before it is committed.
 */
export async function checkLeases(ask: Ask, pool: Pool, schema: string): Promise<void> {
  const held = [...heldLeases(pool, schema).all];
  if (held.length === 0) return;
  const rows = await ask(
    `SELECT name, token::text AS token FROM ${quoted(schema)}.leases WHERE name = ANY($1::text[]) FOR KEY SHARE`,
    [held.map(({ name }) => name)],
  );
  const current = new Map(rows.map(({ name, token }) => [String(name), String(token)]));
  if (held.every(({ name, token }) => current.get(name) === token)) return;
  throw lockLost();
}

/** Locks that the database keeps, so that writers on several machines are kept apart. */
export function databaseLocks(pool: Pool, schema: string, allowed: () => Promise<void>): StoreLocks {
  const held = heldLeases(pool, schema);
  return {
    async take(name, { wait = false, signal } = {}) {
      await allowed();
      const keep = pool.hold();
      try {
        await prepareProject(pool, schema);
        for (;;) {
          await held.leaving.get(name);
          const token = await attempt(pool, schema, name);
          if (token !== undefined) return keeping(pool, schema, { name, token }, held, keep);
          if (!wait) break;
          if (signal?.aborted) throw interrupted(signal.reason);
          await systemClock.wait(lookAgainAfter, signal);
        }
      } catch (thrown) {
        await keep();
        throw thrown;
      }
      await keep();
      return undefined;
    },
  };
}

/** Takes the lock where it is free or its lease is over. */
async function attempt(pool: Pool, schema: string, name: string): Promise<string | undefined> {
  const leases = `${quoted(schema)}.leases`;
  const taken = await pool.read(
    `SELECT 1 FROM ${leases} WHERE name = $1 AND expires_at > clock_timestamp()`,
    [name],
  );
  if (taken.length > 0) return undefined;
  try {
    return await pool.transaction(async (ask) => {
      // A write that was let in may still be under way; it is waited for, but not for long.
      await ask("SELECT set_config('lock_timeout', '2s', true)");
      const [row] = await ask(
        `INSERT INTO ${leases} AS known (name, holder, expires_at)
         VALUES ($1, $2, clock_timestamp() + make_interval(secs => $3))
         ON CONFLICT (name) DO UPDATE SET (token, holder, expires_at) =
           (excluded.token, excluded.holder, excluded.expires_at)
         WHERE known.expires_at <= clock_timestamp() RETURNING token::text AS token`,
        [name, `${hostname()} ${process.pid}`, leaseSeconds],
      );
      return row && String(row.token);
    });
  } catch (thrown) {
    const { cause } = thrown as QuarryError;
    if (systemCodeOf(cause) === '55P03') return undefined;
    throw thrown;
  }
}

function keeping(
  pool: Pool,
  schema: string,
  lease: Lease,
  held: HeldLeases,
  keep: () => Promise<void>,
): StoreLock {
  const { name, token } = lease;
  const extend = (seconds: number) =>
    pool.read(
      `UPDATE ${quoted(schema)}.leases SET expires_at = clock_timestamp() + make_interval(secs => $3)
       WHERE name = $1 AND token = $2::bigint`,
      [name, token, seconds],
    );
  held.all.add(lease);
  // A renewal that fails is tried again with the next one; the lease is longer than three of them.
  const timer = setInterval(() => void extend(leaseSeconds).catch(() => {}), renewEvery);
  timer.unref();
  return {
    release() {
      if (!held.all.delete(lease)) return;
      clearInterval(timer);
      // Where this does not arrive, the lease ends by itself.
      const leaving = extend(0).then(keep, keep);
      held.leaving.set(name, leaving);
      void leaving.finally(() => {
        if (held.leaving.get(name) === leaving) held.leaving.delete(name);
      });
    },
  };
}
