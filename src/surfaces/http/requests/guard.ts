import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { QuarryError } from '../../../core/errors.ts';
import { type Grant, grantOf, grantOfOwner } from '../../../engine/grants.ts';
import type { PageSessions } from '../../../engine/page-sessions.ts';
import type { Tokens } from '../../../user/tokens.ts';
import { addressGroup } from './caller-address.ts';
import type { LiveRequests } from './live-requests.ts';
import { createRateLimit, type RateLimitOptions } from './rate-limit.ts';
import type { RequestContext, RequestOf } from './request-context.ts';

/** Who may ask a server. */
export interface GuardOptions {
  readonly tokens: Tokens;
  readonly sessions: PageSessions;
  /** Whether callers on loopback need no token: every user of the machine is then let in. */
  readonly isOpen: boolean;
  readonly live: LiveRequests;
  /** Names by which the server is reached, without a port. Others are refused: a page may have bound its name to us. */
  readonly hosts: readonly string[];
  readonly rate: RateLimitOptions;
  /** How many refusals an address may cause before it is asked to wait. A caller with a right token never is. */
  readonly refusals: RateLimitOptions;
  /** What a client over the socket must be of, where it says so: the same program in the same environment. */
  readonly fits: { readonly build: string; readonly environment: string };
}

/** Names of this machine for itself. */
export const loopbackHosts: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];

/** The user of the machine, who opened the socket. */
const owner = grantOfOwner('socket');

/** A caller on this machine without a token, where that is allowed: projects, but nothing that all projects share. */
const localCaller: Grant = {
  name: 'loopback',
  isOwner: false,
  allows: (scope) => scope.startsWith('project:'),
};

/** Routes that tell nothing and need no token: the page itself holds no data. */
const tellsNothing = /^\/($|health$|ready$|v1\/session$|assets\/|icon\.svg$)/;

/** Gives each request a name and a grant, or refuses it. */
export function guard(options: GuardOptions): MiddlewareHandler<RequestContext> {
  const limit = createRateLimit(options.rate);
  const limitRefusals = createRateLimit(options.refusals);
  return async (c, next) => {
    c.set('requestId', randomUUID());
    c.header('quarry-request', c.get('requestId'));
    c.header('x-content-type-options', 'nosniff');
    if (c.env.way === 'socket') {
      requireFit(c, options.fits);
      c.set('grant', owner);
      c.set('isBehind', () => false);
      return next();
    }
    const address = addressGroup(c.env.incoming.socket);
    const grant = await grantFor(c, options).catch((thrown) => {
      limitRefusals('', address);
      throw thrown;
    });
    c.set('grant', grant);
    limit(grant.name, address);
    if (grant.credential) c.env.strangers?.admit(c.env.incoming.socket);
    options.live.watch(c);
    c.set('isBehind', () => options.live.isBehind(c));
    await next();
    // The key of a session is looked at by its route.
    if (c.res.status === 401) limitRefusals('', address);
  };
}

/** A command of another version, or with other variables, would get another answer than its own. */
function requireFit(c: RequestOf, fits: GuardOptions['fits']): void {
  const { build = fits.build, environment = fits.environment } = {
    build: c.req.header('quarry-build'),
    environment: c.req.header('quarry-environment'),
  };
  const remedy = 'End it with: quarry stop';
  if (build !== fits.build)
    throw new QuarryError('version-mismatch', 'The server is another build than its client.', remedy);
  if (environment !== fits.environment)
    throw new QuarryError('environment-mismatch', 'The server was started with other variables.', remedy);
}

async function grantFor(c: RequestOf, { tokens, sessions, isOpen, hosts }: GuardOptions): Promise<Grant> {
  const host = c.req.header('host') ?? '';
  if (!hosts.includes(hostName(host))) {
    throw new QuarryError(
      'access-denied',
      'The Host header names no address of this server.',
      'Use an address that quarry serve --host or --allow-host names.',
    );
  }
  const origin = c.req.header('origin');
  // A page of another origin may not even ask: there is no cross-origin access.
  if (origin !== undefined && URL.parse(origin)?.host !== host) {
    throw new QuarryError(
      'access-denied',
      'Pages of other origins may not use this server.',
      'Open the page that this server serves.',
    );
  }
  requireOwnSite(c);
  const token = /^Bearer +(\S{1,200})$/i.exec(c.req.header('authorization') ?? '')?.[1];
  if (isOpen && c.req.header('authorization') === undefined && isFromThisMachine(c)) return localCaller;
  if (token === undefined && tellsNothing.test(c.req.path))
    return { name: 'anybody', isOwner: false, allows: () => false };
  if (token !== undefined && sessions.has(token)) {
    const holds = async (): Promise<boolean> => sessions.holds(token);
    const end = (): void => sessions.end(token);
    return { ...grantOfOwner('page'), credential: { id: `session ${token}`, holds, end } };
  }
  const known = token === undefined ? undefined : await tokens.find(token);
  if (known) {
    const holds = async (): Promise<boolean> => (await tokens.list()).some(({ id }) => id === known.id);
    return { ...grantOf(known), credential: { id: `token ${known.id}`, holds } };
  }
  throw new QuarryError(
    'token-invalid',
    token === undefined ? 'A token is needed.' : 'The token is not valid.',
    'Set QUARRY_TOKEN, or send "Authorization: Bearer TOKEN"; quarry token create on the server makes one.',
  );
}

/**
 * Fails for a request that a page of another site causes, by an image or a form say: a browser names no origin with some of
 * them, but says so. A link from elsewhere may lead to the page, which tells nothing by itself.
 */
function requireOwnSite(c: RequestOf): void {
  const about = (name: string): string | undefined => c.req.header(`sec-fetch-${name}`);
  if (['same-origin', 'none', undefined].includes(about('site'))) return;
  const isLink = c.req.method === 'GET' && about('mode') === 'navigate' && about('dest') === 'document';
  if (isLink && tellsNothing.test(c.req.path)) return;
  throw new QuarryError(
    'access-denied',
    'Pages of other sites may not use this server.',
    'Open the page that this server serves.',
  );
}

function isFromThisMachine(c: RequestOf): boolean {
  return /^(127\.|::1$|::ffff:127\.)/.test(c.env.incoming.socket.remoteAddress ?? '');
}

/** The name in a Host header, without its port. */
function hostName(host: string): string {
  return host.toLowerCase().replace(/:\d{1,5}$/, '');
}
