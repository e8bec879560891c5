import { type Fences, type LeaseRecord, raisedFences } from '../../../contracts/leases.ts';
import type { QuarryError } from '../../../core/errors.ts';
import { systemCodeOf } from '../../../core/failures/machine-failure.ts';
import { prepareProject } from './layout.ts';
import { quoted } from './names.ts';
import type { Ask, Pool } from './pool.ts';

/** Milliseconds after which a lease that nobody renews is over, by the clock of the server. */
const term = 15_000;

/**
 * Fails where another process has a lease by now. Within the transaction of a write: nobody takes over before that is
 * committed.
 */
export async function checkFences(ask: Ask, schema: string, fences: Fences | undefined): Promise<void> {
  if (!fences || fences.size === 0) return;
  const leases = `${quoted(schema)}.leases`;
  const rows = await ask(
    `SELECT name, token::text AS fence FROM ${leases} WHERE name = ANY($1::text[]) FOR KEY SHARE`,
    [[...fences.keys()]],
  );
  const seen = new Map(rows.map(({ name, fence }) => [String(name), Number(fence)]));
  for (const [name, fence] of raisedFences(seen, fences))
    await ask(
      `INSERT INTO ${leases} (name, token, holder, expires_at) VALUES ($1, $2::bigint, '', clock_timestamp())
       ON CONFLICT (name) DO UPDATE SET token = excluded.token`,
      [name, fence],
    );
}

/** A lease that the database keeps, so that writers on several machines are kept apart. */
export async function databaseLease(pool: Pool, schema: string, name: string): Promise<LeaseRecord> {
  const leases = `${quoted(schema)}.leases`;
  const release = pool.hold();
  try {
    await prepareProject(pool, schema);
  } catch (thrown) {
    await release();
    throw thrown;
  }
  const expires =
    "clock_timestamp() + make_interval(secs => CASE WHEN $3 = '' THEN 0 ELSE $4::numeric / 1000 END)";
  return {
    term,
    async read() {
      const [row] = await pool.read(
        `SELECT token::text AS fence, holder, expires_at::text AS stamp, expires_at <= clock_timestamp() AS is_over
         FROM ${leases} WHERE name = $1`,
        [name],
      );
      if (!row) return undefined;
      const state = row.holder === '' ? 'free' : row.is_over === true ? 'over' : 'held';
      return { fence: Number(row.fence), stamp: String(row.stamp), state, holder: String(row.holder) };
    },
    async replace(expected, { holder, fence }) {
      const values = [name, fence, holder, term];
      // A renewal changes no key, and so waits for no write.
      if (expected === fence) {
        const renewed = await pool.read(
          `UPDATE ${leases} SET holder = $3, expires_at = ${expires} WHERE name = $1 AND token = $2::bigint RETURNING 1`,
          values,
        );
        return renewed.length > 0;
      }
      try {
        return await pool.transaction(async (ask) => {
          // A write that was let in may still be under way; it is waited for, but not for long.
          await ask("SELECT set_config('lock_timeout', '2s', true)");
          const taken = await ask(
            expected === undefined
              ? `INSERT INTO ${leases} (name, token, holder, expires_at) VALUES ($1, $2::bigint, $3, ${expires})
                 ON CONFLICT DO NOTHING RETURNING 1`
              : `UPDATE ${leases} SET (token, holder, expires_at) = ($2::bigint, $3, ${expires})
                 WHERE name = $1 AND token = $5::bigint RETURNING 1`,
            expected === undefined ? values : [...values, expected],
          );
          // A version without fences takes the next number of the column: that is to be a higher one.
          if (taken.length > 0)
            await ask(`SELECT setval(pg_get_serial_sequence($1, 'token'), $2::bigint)`, [leases, fence]);
          return taken.length > 0;
        });
      } catch (thrown) {
        if (systemCodeOf((thrown as QuarryError).cause) === '55P03') return false;
        throw thrown;
      }
    },
    close: release,
  };
}
