import { createHash, randomBytes } from 'node:crypto';

/** Milliseconds that a link can be followed. */
const linkLasts = 2 * 60_000;

/** Milliseconds without a request after which a page has to be opened again. */
const sessionLasts = 12 * 60 * 60_000;

/** How many links and sessions are remembered; beyond it the oldest end. */
const maxSessions = 100;

/** Pages that the owner of the machine has opened. All of it is in memory: it ends with the process. */
export interface PageSessions {
  /** A key for one link, that opens one session. */
  invite(): string;
  /** The token of a new session; undefined for a key that is unknown, used or too old. */
  admit(key: string): string | undefined;
  /** Whether the token is that of a session, which lasts from now on. */
  has(token: string): boolean;
  /** Whether the session has not ended; it gets no older nor younger by the question. */
  holds(token: string): boolean;
  end(token: string): void;
}

/** No links and no sessions yet. */
export function createPageSessions(now: () => number = Date.now): PageSessions {
  // By hash: a look-up by the secret itself would tell, by its time, how much of a guess is right.
  const links = new Map<string, number>();
  const sessions = new Map<string, number>();
  const holds = (token: string): boolean => (sessions.get(hashOf(token)) ?? 0) > now();
  return {
    invite: () => add(links, now() + linkLasts),
    admit(key) {
      const isValid = (links.get(hashOf(key)) ?? 0) > now();
      links.delete(hashOf(key));
      return isValid ? add(sessions, now() + sessionLasts) : undefined;
    },
    has(token) {
      if (!holds(token)) return false;
      sessions.set(hashOf(token), now() + sessionLasts);
      return true;
    },
    holds,
    end: (token) => void sessions.delete(hashOf(token)),
  };
}

function add(kept: Map<string, number>, until: number): string {
  const secret = randomBytes(32).toString('base64url');
  kept.set(hashOf(secret), until);
  const [oldest] = kept.keys();
  if (kept.size > maxSessions && oldest !== undefined) kept.delete(oldest);
  return secret;
}

function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64');
}
