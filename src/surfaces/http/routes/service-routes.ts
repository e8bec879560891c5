import type { Hono } from 'hono';
import type { Engine } from '../../../engine/engine.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { Metrics } from '../metrics.ts';
import { renderOpenApi } from '../openapi/openapi.ts';
import { type RequestContext, requireOwner, requireScope } from '../requests/request-context.ts';

/** What a server says about itself. */
export interface ServiceParts {
  readonly engine: Engine;
  readonly metrics: Metrics;
  /** Every operation, offered or not. */
  readonly operations: readonly Operation[];
  readonly version: string;
  readonly build: string;
  /** Whether a command started the server: a client of another build then replaces it. */
  readonly isBackground: boolean;
  /** Whether new work is still taken. */
  isEnding(): boolean;
  /** Ends the server when what it does now is done. */
  end(): void;
}

/** Health, metrics, description, and the end of the process. */
export function addServiceRoutes(app: Hono<RequestContext>, parts: ServiceParts): void {
  const { engine, metrics, version, build } = parts;
  app.get('/health', (c) => c.json({ status: 'ok', version }));
  app.get('/ready', (c) => c.json({ ready: !parts.isEnding() }, parts.isEnding() ? 503 : 200));
  app.get('/openapi.json', (c) => c.json(renderOpenApi(version, parts.operations)));
  app.get('/metrics', (c) => {
    requireScope(c, 'project:read');
    return c.text(metrics.render(), 200, { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' });
  });
  app.get('/v1/engine', async (c) => {
    requireOwner(c);
    return c.json({
      version,
      build,
      pid: process.pid,
      uptime_seconds: Math.round(process.uptime()),
      memory_bytes: process.memoryUsage.rss(),
      is_busy: engine.isBusy(),
      projects: engine.openProjects.list().map(({ failure, ...state }) => ({
        ...state,
        ...(failure && { failure: failure.message }),
      })),
    });
  });
  app.post('/v1/engine/give-way', (c) => {
    requireOwner(c);
    if (parts.isBackground) parts.end();
    return c.json({ stopping: parts.isBackground }, 202);
  });
  app.post('/v1/engine/stop', (c) => {
    requireOwner(c);
    parts.end();
    return c.json({ stopping: true, pid: process.pid }, 202);
  });
}
