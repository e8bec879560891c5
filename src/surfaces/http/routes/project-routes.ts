import { basename, isAbsolute, join } from 'node:path';
import type { Hono } from 'hono';
import { z } from 'zod';
import { errorToData, QuarryError } from '../../../core/errors.ts';
import type { Engine, KnownProject } from '../../../engine/engine.ts';
import { indexOnDisk } from '../../../state-folder/index-on-disk.ts';
import { type ProjectEntry, projectIdSchema } from '../../../user/project-entry.ts';
import { projectIn } from '../requests/addressed-projects.ts';
import { readChecked } from '../requests/read-input.ts';
import {
  type RequestContext,
  type RequestOf,
  requireOwner,
  requireScope,
} from '../requests/request-context.ts';

/** What makes a project known. */
export const newProjectSchema = z.strictObject({
  id: projectIdSchema
    .optional()
    .describe('Its name in addresses; without one it is known until the engine ends.'),
  folder: z
    .string()
    .min(1)
    .optional()
    .describe(
      'A folder of the server, as a whole path or below `~/`; only for its owner. Without one, clients send the files.',
    ),
  files: z
    .enum(['streamed', 'remote'])
    .optional()
    .describe(
      'What clients send: files (`streamed`), or an index of files they keep (`remote`). Without it, what comes first decides.',
    ),
});

/** The second is the name that other services use. */
const places = ['/v1/projects', '/projects'];

/** Projects: list, make known, look at, forget. */
export function addProjectRoutes(app: Hono<RequestContext>, engine: Engine): void {
  app.on('GET', places, async (c) => {
    const visible = (await engine.projects()).filter(({ id }) => c.get('grant').allows('project:read', id));
    return c.json({ projects: visible.map((project) => projectData(c, project)) });
  });
  app.on('POST', places, async (c) => {
    const { id, folder: named, files } = await readChecked(c, newProjectSchema);
    if (named !== undefined) requireOwner(c);
    const folder = named && wholePath(named, engine.home);
    if (id === undefined) {
      if (folder === undefined) throw invalid('id: a project without a folder needs a name');
      return c.json(await newProject(c, engine, await engine.adopt(folder)), 201);
    }
    requireScope(c, 'project:write', id);
    return c.json(await newProject(c, engine, await engine.register(id, folder, files)), 201);
  });
  app.get('/v1/projects/:project', async (c) => {
    const known = await projectIn(c, engine, 'project:read', c.req.param('project'));
    // One that is open says more of its index by `status`.
    const index = known.state ? undefined : await indexOnDisk(known.folder);
    const { bytes, writtenAt } = index ?? {};
    return c.json({
      ...projectData(c, known),
      ...(writtenAt && { index: { bytes, written_at: writtenAt.toISOString() } }),
    });
  });
  app.delete('/v1/projects/:project', async (c) => {
    const id = c.req.param('project');
    requireScope(c, 'project:write', id);
    // A folder of the server was registered by its owner; what clients send, by them.
    if ((await engine.find(id)).files === 'local') requireScope(c, 'user:write', id);
    await engine.forget(id);
    return c.body(null, 204);
  });
}

/** A project as data; its folder is the business of the machine's own user. */
function projectData(c: RequestOf, { id, name, folder, files, isRegistered, state }: KnownProject): object {
  return {
    id,
    name,
    files,
    registered: isRegistered,
    open: state !== undefined,
    ...(state && { syncing: state.isSyncing, users: state.users }),
    ...(c.get('grant').isOwner && { folder, ...(state?.failure && { failure: errorToData(state.failure) }) }),
  };
}

async function newProject(c: RequestOf, engine: Engine, entry: ProjectEntry): Promise<object> {
  return projectData(c, (await engine.named(entry.id)) ?? { ...entry, name: entry.id });
}

/** A relative path would mean the folder that the engine happens to run in, which no caller knows. */
function wholePath(folder: string, home: string): string {
  const path = /^~(?=$|[\\/])/.test(folder) ? join(home, folder.slice(1)) : folder;
  if (isAbsolute(path)) return path;
  throw new QuarryError(
    'usage-invalid',
    `folder: "${folder}" is not a whole path.`,
    `Type the whole path of the folder, such as ${join(home, basename(folder))}.`,
  );
}

function invalid(message: string): QuarryError {
  return new QuarryError('usage-invalid', `${message}.`, 'See /openapi.json.');
}
