import { createEngine, type EngineOptions } from '../../engine/engine.ts';
import { createPageSessions } from '../../engine/page-sessions.ts';
import { loadOperations } from '../../operations/catalogue.ts';
import { closeAll } from '../../platform/close-all.ts';
import type { Environment } from '../../platform/environment.ts';
import { type TokenRecord, withToken } from '../../user/tokens.ts';
import { createApp } from './app.ts';
import { type Bounds, type Listening, listen, type Place } from './listen.ts';
import { createMetrics } from './metrics.ts';
import { createRefusalLog, isRefusal, type LogEntry } from './refusal-log.ts';
import { type BodyBounds, createBodyBudget, defaultBodyBounds } from './requests/body-budget.ts';
import { loopbackHosts } from './requests/guard.ts';
import { createLiveRequests } from './requests/live-requests.ts';
import type { RateLimitOptions } from './requests/rate-limit.ts';

/** Milliseconds between two looks whether anybody still needs the server. */
const lookEvery = 5_000;

/** The port of the page, where it is free: what a browser keeps for the page is kept by its address. */
const pagePort = 4774;

/** How a server is set up. */
export interface ServerOptions extends Omit<EngineOptions, 'environment'> {
  readonly environment: Environment;
  readonly version: string;
  readonly build: string;
  /** Whether a command started it; a client of another build may then have it end. */
  readonly isBackground?: boolean;
  /** Names the variables that decide about results. */
  readonly environmentName: string;
  readonly places: readonly Place[];
  /** Folders to open at once and keep up to date. */
  readonly folders?: readonly string[];
  /** Names besides those of this machine by which it may be asked. */
  readonly hosts?: readonly string[];
  /** Whether callers on loopback need no token. */
  readonly isOpen?: boolean;
  /** A token that is valid as long as the server runs. */
  readonly token?: TokenRecord | undefined;
  readonly rate?: RateLimitOptions;
  /** How many refusals an address may cause before it is asked to wait. */
  readonly refusals?: RateLimitOptions;
  /** Bounds on the bodies of requests, where they differ from the usual ones. */
  readonly bodies?: Partial<BodyBounds>;
  /** Bytes of answers that a caller may leave unread, where it differs from the usual. */
  readonly maxUnread?: number;
  /** Where they differ from the usual ones. */
  readonly bounds?: Partial<Bounds>;
  /** Milliseconds that an answer may take which is no stream. */
  readonly answersWithin?: number;
  /** Milliseconds without work after which the server ends by itself; never where absent. */
  readonly idleMilliseconds?: number;
  log?(entry: LogEntry): void;
}

/** A server at work. */
export interface QuarryServer {
  /** Where it listens, in the order of the places. */
  readonly addresses: readonly string[];
  /** What it answers: `GET /health`. */
  readonly routes: readonly string[];
  /** Resolves when it has ended, whatever asked it to. */
  readonly ended: Promise<void>;
  /** Whether it ended since it had no other place than its socket, and that was removed. */
  readonly isLost: boolean;
  /** Answers what is under way, takes nothing new, and closes every project. */
  end(): Promise<void>;
}

/** Starts an engine and answers for it. */
export async function startServer(options: ServerOptions): Promise<QuarryServer> {
  const engine = createEngine(options);
  const started = performance.now();
  let lastRequest = started;
  let ending: Promise<void> | undefined;
  let isLost = false;
  let idle: NodeJS.Timeout | undefined;
  const { promise: ended, resolve, reject } = Promise.withResolvers<void>();
  const listening: Listening[] = [];

  const end = (): Promise<void> => {
    ending ??= (async () => {
      clearInterval(idle);
      try {
        // Jobs and streams of events first: they would hold their connections.
        await engine.jobs.close();
        // Who asks the first place to end may do so before the last one listens.
        await allListening.catch(() => undefined);
        await closeAll(listening);
      } finally {
        refusalLog.close();
        await engine.close();
      }
    })();
    ending.then(resolve, reject);
    return ending;
  };

  const bodies = createBodyBudget({ ...defaultBodyBounds, ...options.bodies });
  const metrics = createMetrics([
    {
      name: 'quarry_request_body_bytes',
      help: 'Bytes of requests in memory.',
      read: () => bodies.held,
    },
    {
      name: 'quarry_open_projects',
      help: 'Projects that are open.',
      read: () => engine.openProjects.list().length,
    },
    {
      name: 'quarry_running_jobs',
      help: 'Jobs that are running.',
      read: () => engine.jobs.list().filter(({ state }) => state === 'running').length,
    },
    {
      name: 'process_resident_memory_bytes',
      help: 'Memory of the process.',
      read: () => process.memoryUsage.rss(),
    },
    {
      name: 'process_start_time_seconds',
      help: 'When the process began, in seconds since 1970.',
      read: () => Math.round(Date.now() / 1000 - process.uptime()),
    },
  ]);
  const refusalLog = createRefusalLog((entry) => options.log?.(entry));
  const sessions = createPageSessions();
  const live = createLiveRequests(options.maxUnread);
  let page: Promise<Listening> | undefined;
  const app = createApp({
    sessions,
    live,
    async pageAddress() {
      // A failed opening is not remembered: the next caller tries again.
      page ??= listenForPage().catch((thrown) => {
        page = undefined;
        throw thrown;
      });
      return (await page).address;
    },
    engine,
    operations: await loadOperations(),
    metrics,
    version: options.version,
    build: options.build,
    isBackground: options.isBackground ?? false,
    bodies,
    answersWithin: options.answersWithin ?? 10 * 60_000,
    isEnding: () => ending !== undefined,
    end: () => void end(),
    guard: {
      tokens: options.token ? withToken(engine.tokens, options.token) : engine.tokens,
      sessions,
      isOpen: options.isOpen ?? false,
      live,
      hosts: [...loopbackHosts, ...(options.hosts ?? []).map((host) => host.toLowerCase())],
      fits: { build: options.build, environment: options.environmentName },
      rate: options.rate ?? { perSecond: 200, burst: 1000 },
      refusals: options.refusals ?? { perSecond: 1, burst: 50 },
    },
    log(entry, address) {
      // Who is refused does not keep an engine from ending.
      if (!isRefusal(entry)) lastRequest = performance.now();
      refusalLog.write(entry, address);
    },
  });
  /** The first place that a browser of this machine reaches as it is, or one more. */
  const listenForPage = async (): Promise<Listening> => {
    const suitable = listening.find(({ address }) => loopbackHosts.includes(hostOf(address)));
    if (suitable) return suitable;
    const place = { host: '127.0.0.1', port: pagePort };
    // The port is taken: any other will do.
    const opened = await listen(app, place).catch(() => listen(app, { ...place, port: 0 }));
    listening.push(opened);
    return opened;
  };
  const allListening = (async () => {
    for (const place of options.places) listening.push(await listen(app, place, options.bounds));
  })();
  try {
    await allListening;
    for (const folder of options.folders ?? []) await engine.open(folder);
  } catch (thrown) {
    await end();
    throw thrown;
  }
  // Only now: what ends before it listens everywhere would listen on for nobody.
  idle = setInterval(() => {
    if (engine.isBusy()) return;
    // What a browser has open may still find it; commands start another one, and two would keep the same projects.
    isLost ||= listening.slice(0, options.places.length).every((place) => place.isLost());
    if (isLost) return void end();
    if (options.idleMilliseconds === undefined) return;
    if (performance.now() - lastRequest > options.idleMilliseconds) void end();
  }, lookEvery);
  idle.unref();
  const routes = app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path}`);
  return {
    addresses: listening.map(({ address }) => address),
    routes,
    ended,
    get isLost() {
      return isLost;
    },
    end,
  };
}

/** The name in a plain http address; empty for a socket. */
function hostOf(address: string): string {
  const url = URL.parse(address);
  return url?.protocol === 'http:' ? url.hostname : '';
}
