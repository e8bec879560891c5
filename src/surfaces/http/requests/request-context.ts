import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';
import type { WebSocket } from 'ws';
import { QuarryError } from '../../../core/errors.ts';
import type { Grant } from '../../../engine/grants.ts';
import type { Scope } from '../../../operations/permission.ts';
import type { Strangers } from '../strangers.ts';

/**
 * Talks with a caller over its connection until that closes. Only short messages are taken before it calls `takeLong`, so
 * that one who waits, or only listens, holds no memory.
 */
export type Conversation = (socket: WebSocket, takeLong: () => void) => void;

/** Data as its caller may see it. */
export type Shown = <Data>(data: Data) => Data;

/** What is known of a request before a route sees it. */
export interface RequestContext {
  Bindings: HttpBindings & {
    /** How the request came: over the socket that only the user can open, or over the network, be it loopback. */
    readonly way: 'socket' | 'network';
    /** Present where the caller asks for a WebSocket: what is said on it, once a route has agreed. */
    readonly upgrade?: { conversation?: Conversation };
    /** Present over the network. */
    readonly strangers?: Strangers;
  };
  Variables: {
    /** Names the request in logs and errors. */
    requestId: string;
    grant: Grant;
    /** Set with the grant, and again when the project is known. */
    shown?: Shown;
    body: {
      /** Counts bytes until the request is answered; fails where the server holds too many. */
      hold(bytes: number): void;
      /** Milliseconds between two looks at how fast it arrives. */
      readonly looksEvery: number;
    };
    /** Milliseconds that an answer may take which is no stream. */
    answersWithin: number;
    /** Whether the caller leaves so many answers unread that it gets no more of them. */
    isBehind(): boolean;
    /** A failure to log, which the answer does not show whole. */
    failure?: QuarryError;
  };
}

export type RequestOf = Context<RequestContext>;

/** Fails unless the caller may do this. */
export function requireScope(c: RequestOf, scope: Scope, project?: string): void {
  const { allows, name } = c.get('grant');
  if (allows(scope, project)) return;
  // No token allows what is the owner's.
  if (scope.startsWith('owner:')) requireOwner(c);
  throw notAllowed(name, scope, project);
}

/** Fails for a caller that does not read its answers: each is held in memory until it does. */
export function requireReader(c: RequestOf): void {
  if (!c.get('isBehind')()) return;
  throw new QuarryError('request-limited', 'Too many answers have not been read yet.', 'Read them first.', {
    retryAfter: 1000,
  });
}

/** The refusal of a caller that may not do this. */
export function notAllowed(name: string, scope: Scope, project: string | undefined): QuarryError {
  if (scope.startsWith('user:'))
    return new QuarryError(
      'access-denied',
      `"${name}" is for projects alone, and this is shared by all projects of the server.`,
      "Run it on the server's own machine, or use a token for it: quarry token create NAME --admin",
    );
  return new QuarryError(
    'access-denied',
    `"${name}" does not allow ${scope}${project ? ` for the project "${project}"` : ''}.`,
    'Use a token that does: quarry token create.',
  );
}

/** Fails where what let the caller in has ended since: a connection may last longer than a token. */
export async function requireCredential(c: RequestOf): Promise<void> {
  const { credential } = c.get('grant');
  if (!credential || (await credential.holds())) return;
  throw new QuarryError(
    'token-invalid',
    'The token was revoked, or the session has ended.',
    'Use another token: quarry token create on the server makes one.',
  );
}

/** Fails for all but the owner: what names files of this machine is for its own user alone. */
export function requireOwner(c: RequestOf): void {
  if (c.get('grant').isOwner) return;
  throw new QuarryError(
    'access-denied',
    'This is for the owner of the server, and is not offered over the network.',
    "Run it on the server's own machine, or open the page there: quarry ui",
  );
}
