import { join } from 'node:path';
import { z } from 'zod';
import { once } from '../platform/once.ts';
import { openUserRecord, type UserRecord } from '../platform/user-record.ts';

/**
 * Locks that end by themselves unless their holder renews them: it may have ended, or be cut off. Who had a lock last is
 * known after a restart too, so that an earlier holder never writes over the work of the next.
 */
export interface Leases {
  /** Takes or renews a lock for so many seconds; 0 gives it back. Returns whether the holder has it now. */
  hold(name: string, holder: string, seconds: number): Promise<boolean>;
  /**
   * Renews a lock before a write. False where another has had it since, or nobody ever: what this holder would write is of
   * yesterday. A lock that nobody else has had since it lapsed is still its own.
   */
  renew(name: string, holder: string, seconds: number): Promise<boolean>;
}

/** Locks that are remembered with their last holder. */
const maxRemembered = 1000;

const leaseSchema = z.object({ name: z.string(), holder: z.string(), seconds: z.number() });
const fileSchema = z.object({ leases: z.array(leaseSchema) });

/** A lock as it is kept: its last holder, and for how long that took it; 0 where it was given back. */
type KeptLease = Readonly<z.output<typeof leaseSchema>>;

/** The locks that are kept in this folder of the user. */
export function openLeases(folder: string, now: () => number = () => performance.now()): Leases {
  const record = recordIn(folder);
  /** By name, those that were held last at the end. */
  const known = new Map<string, KeptLease & { readonly until: number }>();
  const load = once(async () => {
    // A holder that is still there renews its lock; the time to do so begins now.
    for (const kept of await record.read())
      known.set(kept.name, { ...kept, until: now() + kept.seconds * 1000 });
  });
  let changes = 0;
  let written = 0;
  let writing: Promise<void> | undefined;
  const write = async (): Promise<void> => {
    const upTo = changes;
    await record.change(() => [...known.values()].map(({ until: _, ...kept }) => kept));
    written = upTo;
  };
  /** Waits until what was changed before is kept; what came while one write was under way is in the next. */
  const keep = async (): Promise<void> => {
    const wanted = changes;
    while (written < wanted) {
      writing ??= write().finally(() => {
        writing = undefined;
      });
      await writing;
    }
  };
  const set = (name: string, holder: string, seconds: number): void => {
    const previous = known.get(name);
    // That it is renewed need not be kept.
    if (previous?.holder !== holder || previous.seconds > 0 !== seconds > 0) changes += 1;
    known.delete(name);
    known.set(name, { name, holder, seconds, until: now() + seconds * 1000 });
  };
  /** Whether there is room for one more name; those that have lapsed make it. */
  const hasRoom = (name: string): boolean => {
    if (known.has(name) || known.size < maxRemembered) return true;
    for (const [other, { until }] of known) if (until <= now()) return known.delete(other);
    return false;
  };
  return {
    async hold(name, holder, seconds) {
      await load();
      const present = known.get(name);
      const isOwn = present === undefined || present.holder === holder;
      if (!isOwn && (present.until > now() || seconds === 0)) return false;
      if (present === undefined && seconds === 0) return false;
      if (!hasRoom(name)) return false;
      set(name, holder, seconds);
      await keep();
      return seconds > 0;
    },
    async renew(name, holder, seconds) {
      await load();
      if (known.get(name)?.holder !== holder) return false;
      set(name, holder, seconds);
      await keep();
      return true;
    },
  };
}

function recordIn(folder: string): UserRecord<readonly KeptLease[]> {
  return openUserRecord(join(folder, 'leases.json'), {
    name: 'The record of who writes the indexes of clients',
    remedy: 'Delete the file; clients that are writing then have to begin again.',
    empty: [],
    parse: (text) => fileSchema.parse(JSON.parse(text)).leases,
    write: (leases) => `${JSON.stringify({ leases })}\n`,
  });
}
