import type { Hono } from 'hono';
import type { Engine } from '../../../engine/engine.ts';
import type { Operation } from '../../../operations/operation.ts';
import type { RequestContext } from '../requests/request-context.ts';
import { onlyProject } from './compatible-routes.ts';
import { performOperation } from './operation-routes.ts';

/**
 * What a page shows of a project at a glance: counts by type, freshness, what changed last, the largest topics; with
 * `use_rag=true` also a summary with its sources.
 */
export function addDashboardRoutes(
  app: Hono<RequestContext>,
  engine: Engine,
  operations: readonly Operation[],
): void {
  const overview = operations.find(({ name }) => name === 'overview') as Operation;
  app.get('/api/dashboard/summary', async (c) => {
    const project = c.req.query('project') ?? c.req.query('project_id') ?? (await onlyProject(c, engine));
    return performOperation(c, engine, overview, project, {
      summarise: ['true', '1', 'yes'].includes(c.req.query('use_rag') ?? 'false'),
    });
  });
}
