import { Hono } from 'hono';
import { matchedRoutes } from 'hono/route';
import { asQuarryError, QuarryError } from '../../core/errors.ts';
import type { ServerEvent } from '../../core/events.ts';
import { once } from '../../platform/once.ts';
import { streamPath } from '../../streaming/protocol.ts';
import { addFileAgent } from './file-agent/file-agent.ts';
import { answerWithError } from './requests/answer.ts';
import { type BodyBounds, createBodyBudget } from './requests/body-budget.ts';
import { type GuardOptions, guard } from './requests/guard.ts';
import { shownTo } from './requests/hide-places.ts';
import type { RequestContext, RequestOf } from './requests/request-context.ts';
import { addChatRoutes } from './routes/chat-routes.ts';
import { addDashboardRoutes } from './routes/dashboard-routes.ts';
import { addFragRoutes } from './routes/frag-routes.ts';
import { addIndexRoutes } from './routes/index-routes.ts';
import { addJobRoutes } from './routes/job-routes.ts';
import { addOperationRoutes } from './routes/operation-routes.ts';
import { addPageRoutes, type PageParts } from './routes/page-routes.ts';
import { addProjectRoutes } from './routes/project-routes.ts';
import { addSeedRoutes } from './routes/seed-routes.ts';
import { addServiceRoutes, type ServiceParts } from './routes/service-routes.ts';

/** One line of the log. */
export type AnsweredRequest = Extract<ServerEvent, { type: 'request-answered' }>;

/** What the server's answers are made of. */
export interface AppParts extends ServiceParts, PageParts {
  readonly guard: GuardOptions;
  readonly bodies: BodyBounds;
  /** Milliseconds that an answer may take which is no stream. */
  readonly answersWithin: number;
  log(entry: AnsweredRequest): void;
}

/** Everything a server answers, over whichever way a request comes. */
export function createApp(parts: AppParts): Hono<RequestContext> {
  const { engine, metrics } = parts;
  const app = new Hono<RequestContext>();
  const bodies = createBodyBudget(parts.bodies);
  app.use(async (c, next) => {
    const started = performance.now();
    await next();
    const seconds = (performance.now() - started) / 1000;
    const route = matchedRoutes(c).findLast(({ path }) => path !== '/*')?.path ?? 'unknown';
    metrics.count(route, c.res.status, seconds);
    parts.log(entryOf(c, route, seconds));
  });
  app.use(guard(parts.guard));
  app.use(async (c, next) => {
    c.set('answersWithin', parts.answersWithin);
    c.set('shown', shownTo(c, engine));
    await next();
  });
  app.use(async (c, next) => {
    const caller = `${c.get('grant').name} ${c.env.incoming.socket.remoteAddress ?? ''}`;
    let held = 0;
    c.set('body', {
      looksEvery: parts.bodies.looksEvery,
      hold(bytes) {
        bodies.take(caller, bytes);
        held += bytes;
      },
    });
    await next();
    bodies.release(caller, held);
  });
  app.use(async (c, next) => {
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
  addOperationRoutes(app, engine, parts.operations);
  addSeedRoutes(app, engine, parts.operations);
  addFragRoutes(app, engine);
  addChatRoutes(app, engine, parts.operations);
  addDashboardRoutes(app, engine, parts.operations);
  // Loaded when a client of that protocol comes.
  const mcpRoute = once(async () => (await import('../mcp/route.ts')).createMcpRoute(parts));
  const answerMcp = async (c: RequestOf): Promise<Response> => (await mcpRoute())(c);
  app.post('/mcp', answerMcp);
  // The protocol has its own refusal of other methods.
  app.all('/mcp', answerMcp);
  addFileAgent(app, engine, (c) => parts.log(entryOf(c, streamPath, 0)));
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
    caller: c.get('grant')?.name ?? 'refused',
    method: c.req.method,
    route,
    status: c.res.status,
    seconds: Number(seconds.toFixed(4)),
    ...(failure && { error: `${failure.code}: ${failure.message}` }),
    ...(failure?.code === 'internal' && cause instanceof Error && cause.stack && { stack: cause.stack }),
  };
}

function routeUnknown(method: string): QuarryError {
  return new QuarryError('route-unknown', `Nothing answers ${method} at this address.`, 'See /openapi.json.');
}

function compressed(encoding: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `Bodies with the encoding "${encoding}" are not read.`,
    'Send the body as it is.',
  );
}

function ending(): QuarryError {
  return new QuarryError('server-unreachable', 'The server is ending.', 'Ask again in a moment.', {
    retryAfter: 1000,
  });
}
