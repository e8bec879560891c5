import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { errorCatalogue } from '../../core/error-catalogue.ts';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import { once } from '../../platform/once.ts';
import { streamPath } from '../../streaming/protocol.ts';
import { addFileAgent } from './file-agent/file-agent.ts';
import { type AnsweredRequest, refusedCaller } from './refusal-log.ts';
import { answerWithError } from './requests/answer.ts';
import type { BodyBudget } from './requests/body-budget.ts';
import { addressGroup } from './requests/caller-address.ts';
import { type GuardOptions, guard } from './requests/guard.ts';
import { shownTo } from './requests/hide-places.ts';
import { type RequestContext, type RequestOf, requireReader } from './requests/request-context.ts';
import { addChatRoutes } from './routes/chat-routes.ts';
import { addCompatibleRoutes } from './routes/compatible-routes.ts';
import { addDashboardRoutes } from './routes/dashboard-routes.ts';
import { addFragRoutes } from './routes/frag-routes.ts';
import { addIndexRoutes } from './routes/index-routes.ts';
import { addJobRoutes } from './routes/job-routes.ts';
import { addOperationRoutes } from './routes/operation-routes.ts';
import { addPageRoutes, type PageParts } from './routes/page-routes.ts';
import { addProjectRoutes } from './routes/project-routes.ts';
import { addReaderRoutes } from './routes/reader-routes.ts';
import { addServiceRoutes, type ServiceParts } from './routes/service-routes.ts';

/** What the server's answers are made of. */
export interface AppParts extends ServiceParts, PageParts {
  readonly guard: GuardOptions;
  readonly bodies: BodyBudget;
  /** Milliseconds that an answer may take which is no stream. */
  readonly answersWithin: number;
  /** Writes to the log: what was answered, and to which address. */
  log(entry: AnsweredRequest, address: string): void;
}

/** Everything a server answers, over whichever way a request comes. */
export function createApp(parts: AppParts): Hono<RequestContext> {
  const { engine, metrics, bodies } = parts;
  const app = new Hono<RequestContext>();
  const log = (c: RequestOf, route: string, seconds: number): void =>
    parts.log(entryOf(c, route, seconds), addressGroup(c.env.incoming.socket));
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    const seconds = (performance.now() - started) / 1000;
    const route = matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path ?? 'unknown';
    metrics.count(route, c.res.status, seconds);
    log(c, route, seconds);
  });
  app.use(guard(parts.guard));
  app.use(async (c, next) => {
    c.set('answersWithin', parts.answersWithin);
    c.set('shown', shownTo(c, engine));
    await next();
  });
  app.use(async (c, next) => {
    const caller = `${c.get('grant').name} ${addressGroup(c.env.incoming.socket)}`;
    let held = 0;
    c.set('body', {
      looksEvery: bodies.looksEvery,
      hold(bytes) {
        bodies.take(caller, bytes);
        held += bytes;
      },
    });
    await next();
    bodies.release(caller, held);
  });
  app.use(async (c, next) => {
    requireReader(c);
    if (parts.isEnding() && c.req.method === 'POST') throw ending();
    const encoding = c.req.header('content-encoding') ?? 'identity';
    if (encoding !== 'identity') throw compressed(encoding);
    await next();
  });
  addPageRoutes(app, parts);
  addServiceRoutes(app, parts);
  addProjectRoutes(app, engine);
  addIndexRoutes(app, engine);
  addJobRoutes(app, engine);
  addReaderRoutes(app, engine, parts.operations);
  addOperationRoutes(app, engine, parts.operations);
  addCompatibleRoutes(app, engine, parts.operations);
  addFragRoutes(app, engine);
  addChatRoutes(app, engine, parts.operations);
  addDashboardRoutes(app, engine, parts.operations);
  // Loaded when a client of that protocol comes.
  const mcpRoute = once(async () => (await import('../mcp/route.ts')).createMcpRoute(parts));
  const answerMcp = async (c: RequestOf): Promise<Response> => (await mcpRoute())(c);
  app.post('/mcp', answerMcp);
  // The protocol has its own refusal of other methods.
  app.all('/mcp', answerMcp);
  addFileAgent(app, engine, (c) => log(c, streamPath, 0));
  app.notFound((c) => answerWithError(c, routeUnknown(c.req.method)));
  app.onError((thrown, c) => answerWithError(c, asQuarryError(thrown)));
  return app;
}

function entryOf(c: RequestOf, route: string, seconds: number): AnsweredRequest {
  const failure = c.get('failure');
  const cause = failure?.cause;
  return {
    type: 'request-answered',
    time: new Date().toISOString(),
    request: c.get('requestId') ?? '',
    caller: c.get('grant')?.name ?? refusedCaller,
    method: c.req.method,
    route,
    status: c.res.status,
    seconds: Number(seconds.toFixed(4)),
    ...(failure && { error: errorIn(failure) }),
    ...(failure?.code === 'internal' && cause instanceof Error && cause.stack && { stack: cause.stack }),
  };
}

/** A mistake of a caller by its code alone: its message may name what was asked for. */
function errorIn({ code, message }: QuarryError): string {
  return errorCatalogue[code].blames === 'caller' ? code : `${code}: ${message}`;
}

function routeUnknown(method: string): QuarryError {
  return new QuarryError('route-unknown', `Nothing answers ${method} at this address.`, 'See /openapi.json.');
}

function compressed(encoding: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `Bodies with the encoding "${encoding}" are not accepted.`,
    'Send the body as it is.',
  );
}

function ending(): QuarryError {
  return new QuarryError('server-unreachable', 'The server is shutting down.', 'Ask again in a moment.', {
    retryAfter: 1000,
  });
}
