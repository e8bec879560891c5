import type { Hono } from 'hono';
import { z } from 'zod';
import type { Engine } from '../../../engine/engine.ts';
import type { Operation } from '../../../operations/operation.ts';
import { findFolders, listFolders } from '../../../user/folders.ts';
import { notesChangeSchema } from '../../../user/reader-notes.ts';
import { checkedInput, readChecked } from '../requests/read-input.ts';
import { type RequestContext, requireOwner } from '../requests/request-context.ts';
import { jobData } from './job-routes.ts';

/** A folder to look for, as a browser tells of one that was dropped on it. */
export const droppedFolderSchema = z.strictObject({
  name: z.string().min(1).max(255),
  entries: z.array(z.string().max(255)).max(50).default([]).describe('Names of what is in it, or of some.'),
});
/** A file that is to be shown as it looks. */
export const originalSchema = z.strictObject({
  path: z.string().min(1).max(4096).describe('A PDF or a picture that is in the index.'),
});
/** A folder whose folders are listed. */
export const listedFolderSchema = z.strictObject({
  folder: z.string().min(1).max(4096).optional().describe('A whole path; the home of the owner by default.'),
});

/** What the page keeps for the owner of the machine, and the folders that the owner may choose from; for nobody else. */
export function addReaderRoutes(
  app: Hono<RequestContext>,
  engine: Engine,
  operations: readonly Operation[],
): void {
  const evaluate = operations.find(({ name }) => name === 'eval') as Operation;
  app.get('/v1/projects/:project/reader', async (c) => {
    requireOwner(c);
    const { questionsFile, read } = engine.notes(await engine.find(c.req.param('project')));
    return c.json({ ...(await read()), questions_file: questionsFile });
  });
  app.post('/v1/projects/:project/reader', async (c) => {
    requireOwner(c);
    const change = await readChecked(c, notesChangeSchema);
    await engine.notes(await engine.find(c.req.param('project'))).change(change);
    return c.body(null, 204);
  });
  app.post('/v1/projects/:project/reader/eval', async (c) => {
    requireOwner(c);
    const entry = await engine.find(c.req.param('project'));
    const input = checkedInput(evaluate.input, { sets: [engine.notes(entry).questionsFile] });
    const what = {
      project: entry.id,
      folder: entry.folder,
      operation: evaluate.name,
      reach: 'owner' as const,
    };
    const job = engine.jobs.start(what, (signal) => engine.perform(entry.id, evaluate, input, signal));
    return c.json(jobData(c, engine, job), 202, { location: `/v1/jobs/${job.id}` });
  });
  app.post('/v1/projects/:project/reader/original', async (c) => {
    requireOwner(c);
    const { path } = await readChecked(c, originalSchema);
    const { id } = await engine.find(c.req.param('project'));
    const { mediaType, bytes, words } = await engine.original(id, path);
    return c.json({
      media_type: mediaType,
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('base64'),
      words: words.map(({ word, page, left, top, width, height }) => [word, page, left, top, width, height]),
    });
  });
  app.post('/v1/engine/folders', async (c) => {
    requireOwner(c);
    const { folder = engine.home } = await readChecked(c, listedFolderSchema);
    return c.json(await listFolders(folder));
  });
  app.post('/v1/engine/folders/find', async (c) => {
    requireOwner(c);
    const { name, entries } = await readChecked(c, droppedFolderSchema);
    return c.json(await findFolders(engine.home, name, entries));
  });
}
