import { readFile, stat } from 'node:fs/promises';

/**
 * Whose process answers at a place of this machine: one of this user, one of another, none; or the system does not tell. It is
 * true of the moment of the question: who wants to send something asks right before.
 */
export type ListeningUser = 'own' | 'other' | 'none' | 'unknown';

/** Whose process listens at a TCP port. Where several addresses have one, each must be this user's. */
export async function userListeningAt(port: number): Promise<ListeningUser> {
  const own = process.geteuid?.();
  if (process.platform !== 'linux' || own === undefined) return 'unknown';
  try {
    // The second is absent where there is no IPv6.
    const tables = await Promise.all([readFile('/proc/net/tcp', 'utf8'), sixTable()]);
    const users = tables.flatMap((table) => usersListening(table, port));
    if (users.length === 0) return 'none';
    return users.every((user) => user === own) ? 'own' : 'other';
  } catch {
    // The system does not tell.
    return 'unknown';
  }
}

/** Whose local socket this file is. */
export async function userOfSocket(path: string): Promise<ListeningUser> {
  const own = process.geteuid?.();
  if (own === undefined) return 'unknown';
  // No such file, or none that could be connected to.
  const found = await stat(path).catch(() => undefined);
  if (!found) return 'none';
  return found.uid === own ? 'own' : 'other';
}

async function sixTable(): Promise<string> {
  // Absent where there is no IPv6.
  return readFile('/proc/net/tcp6', 'utf8').catch(() => '');
}

/** The state of a socket that takes connections, in the table of the system. */
const listening = '0A';

/** A line is `sl local_address rem_address st tx:rx tr:when retrnsmt uid …`, with addresses like `0100007F:2CAA`. */
function usersListening(table: string, port: number): number[] {
  return table.split('\n').flatMap((line) => {
    const [, local = '', , state, , , , user = ''] = line.trim().split(/\s+/);
    const isMeant = state === listening && Number.parseInt(local.split(':')[1] ?? '', 16) === port;
    return isMeant ? [Number(user)] : [];
  });
}
