import type { Hono } from 'hono';
import { z } from 'zod';
import { QuarryError } from '../../../core/errors.ts';
import type { Engine } from '../../../engine/engine.ts';
import type { Operation } from '../../../operations/operation.ts';
import { readChecked, readInput } from '../requests/read-input.ts';
import { type RequestContext, type RequestOf, requireScope } from '../requests/request-context.ts';
import { performOperation, startJob } from './operation-routes.ts';

/** What names the project; the other fields are those of the operation `search`. */
const searchInput = z.looseObject({ project: z.string().optional(), project_id: z.string().optional() });

/** Addresses that programs know from other retrieval services, beside those of `/v1`. */
export function addCompatibleRoutes(
  app: Hono<RequestContext>,
  engine: Engine,
  operations: readonly Operation[],
): void {
  const named = (name: string): Operation =>
    operations.find((operation) => operation.name === name) as Operation;
  app.post('/projects/:project/index', async (c) => {
    requireScope(c, 'project:write', c.req.param('project'));
    const { full = false } = await readInput(c);
    return startJob(c, engine, named('index'), c.req.param('project'), { full });
  });
  app.get('/projects/:project/status', (c) =>
    performOperation(c, engine, named('status'), c.req.param('project'), { recent: 0, topics: 0 }),
  );
  app.post('/search', async (c) => {
    const { project_id, project = project_id, ...input } = await readChecked(c, searchInput);
    return performOperation(c, engine, named('search'), project ?? (await onlyProject(c, engine)), input);
  });
}

/** The one project that the caller may read, where there is just one. */
export async function onlyProject(c: RequestOf, engine: Engine): Promise<string> {
  const visible = (await engine.projects()).filter(({ id }) => c.get('grant').allows('project:read', id));
  const [only] = visible;
  if (only && visible.length === 1) return only.id;
  throw new QuarryError('usage-invalid', 'The request names no project.', 'Add "project": the id of one.');
}
