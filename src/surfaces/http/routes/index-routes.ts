import type { Hono } from 'hono';
import { z } from 'zod';
import { type LeaseRecord, lockLost } from '../../../contracts/leases.ts';
import type { Changes, Store } from '../../../contracts/store.ts';
import { isStoreCall, type StoreCall, storeCalls } from '../../../contracts/store-calls.ts';
import { QuarryError } from '../../../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../../../core/failures/first-issue.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import type { Engine } from '../../../engine/engine.ts';
import { commit } from '../../../index/commit.ts';
import type { ProjectEntry } from '../../../user/project-entry.ts';
import { readChecked, readInput } from '../requests/read-input.ts';
import { type RequestContext, type RequestOf, requireScope } from '../requests/request-context.ts';

/** One document with its chunks and vectors travels as a whole. */
const boundsOfWrite = { bytes: 64 * 1024 * 1024, values: 1_000_000, numbers: 1_000_000 };
/** Names of chunks or documents, and a vector. */
const boundsOfRead = { bytes: 4 * 1024 * 1024, values: 100_000 };
/** How a lease is taken, renewed or given back; without anything it is only looked at. */
export const leaseInput = z.strictObject({
  expected: z
    .int()
    .nullable()
    .optional()
    .describe(
      'The fence that it has now, null where there is none; nothing is written where it has another one.',
    ),
  holder: z.string().max(200).default('').describe('Who has it from now on; empty gives it back.'),
  fence: z
    .int()
    .min(0)
    .max(2 ** 50)
    .default(0)
    .describe('Higher than all before where it is taken, the same where it is renewed or given back.'),
});
/** The name of a lease within its project, which becomes a part of the name of a file. */
const leaseName = z.string().regex(/^[a-z]{1,40}(\.lock)?$/);
/** Fences of leases, as JSON; the codec cannot be shown in the description of the API. */
const fences = z
  .array(z.tuple([z.string(), z.int()]))
  .max(10)
  .optional()
  .describe('Names and fences of the leases under which this is done; refused where another has one by now.');
/** What may be done to the list of indexes; nothing lists them. */
export const listInput = z.strictObject({
  current: z.string().optional().describe('The index that is to answer from now on.'),
  remove: z.array(z.string()).optional().describe('Indexes to remove.'),
  fences,
});

/** Indexes that clients keep here, by the driver `remote`: list, switch, call, lock. */
export function addIndexRoutes(app: Hono<RequestContext>, engine: Engine): void {
  const { clientIndexes } = engine;
  app.post('/v1/projects/:project/indexes', async (c) => {
    requireScope(c, 'project:read', c.req.param('project'));
    const { current, remove, fences } = await readChecked(c, listInput);
    const isWrite = current !== undefined || remove !== undefined;
    const entry = await remoteEntry(c, engine, isWrite ? 'writes' : 'reads');
    if (isWrite) await requireLeases(engine, entry, fences);
    if (current !== undefined) await clientIndexes.switchTo(entry, indexName(current));
    if (remove !== undefined) await clientIndexes.remove(entry, remove.map(indexName));
    return c.json(await clientIndexes.list(entry));
  });
  app.post('/v1/projects/:project/indexes/:index/:call', async (c) => {
    const name = c.req.param('call');
    if (!isStoreCall(name)) throw callUnknown(name);
    const { effect, input, output, run }: StoreCall = storeCalls[name];
    const entry = await remoteEntry(c, engine, effect);
    const body = await readInput(c, effect === 'writes' ? boundsOfWrite : boundsOfRead);
    const { arguments: given } = body;
    const parsed = input.safeDecode(given as never, untilFirstIssue);
    if (!parsed.success) throw invalidCall(name, parsed.error);
    const args = (parsed.data as readonly unknown[]).map((argument) => argument ?? undefined);
    const index = indexName(c.req.param('index'));
    if (!c.get('grant').allows('project:write', entry.id)) await requireIndex(engine, entry, index);
    const result = await clientIndexes.use(entry, index, (store) => {
      // The schemas of the call have checked its arguments.
      const method = store[name] as ((this: Store, ...args: unknown[]) => Promise<unknown>) | undefined;
      const answer =
        name === 'commit'
          ? commit(store, args[0] as Changes)
          : run
            ? run(store, c.req.raw.signal, ...args)
            : method?.apply(store, args);
      if (!answer) throw callUnknown(name);
      return answer;
    });
    return c.json({ result: z.encode(output, result ?? null) });
  });
  app.post('/v1/projects/:project/locks/:lock', async (c) => {
    const entry = await remoteEntry(c, engine, 'writes');
    const { expected, ...state } = await readChecked(c, leaseInput);
    const lease = await leaseOf(engine, entry, c.req.param('lock'));
    if (expected === undefined) return c.json({ lease: (await lease.read()) ?? null });
    return c.json({ replaced: await lease.replace(expected ?? undefined, state) });
  });
}

async function leaseOf({ clientIndexes }: Engine, entry: ProjectEntry, lock: string): Promise<LeaseRecord> {
  const name = leaseName.safeParse(lock);
  if (!name.success) throw invalidCall('lock', name.error);
  return clientIndexes.lease(entry, name.data);
}

/** Fails where another has a lease by now under which the caller believes to work. */
async function requireLeases(
  engine: Engine,
  entry: ProjectEntry,
  given: z.output<typeof fences> = [],
): Promise<void> {
  for (const [name, fence] of given) {
    const known = await (await leaseOf(engine, entry, name)).read();
    if (known && known.fence > fence) throw lockLost();
  }
}

/** The project of the request, whose index is kept for clients. */
async function remoteEntry(c: RequestOf, engine: Engine, effect: 'reads' | 'writes'): Promise<ProjectEntry> {
  const id = c.req.param('project') ?? '';
  requireScope(c, effect === 'reads' ? 'project:read' : 'project:write', id);
  return requireRemote(await engine.find(id));
}

/** Fails for a project that the server indexes itself. */
export function requireRemote(entry: ProjectEntry): ProjectEntry {
  if (entry.files === 'remote') return entry;
  throw notRemote(entry);
}

/** The error for a project that the server indexes itself. */
export function notRemote({ id }: ProjectEntry): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The project "${id}" is indexed by the server itself.`,
    'Choose another name in store.collection.',
  );
}

function indexName(name: string): string {
  if (/^index-\d{1,9}$/.test(name)) return name;
  throw indexUnknown('Name it index-1, index-2, ….');
}

/** Fails for an index that is not there: a first call makes it, which is for those who may write. */
async function requireIndex({ clientIndexes }: Engine, entry: ProjectEntry, name: string): Promise<void> {
  const { names } = await clientIndexes.list(entry);
  if (!names.includes(name)) throw indexUnknown('List the indexes, and name one of them.');
}

function indexUnknown(remedy: string): QuarryError {
  return new QuarryError('usage-invalid', 'There is no index of this name.', remedy);
}

function callUnknown(name: string): QuarryError {
  return new QuarryError(
    'route-unknown',
    `No index can "${beginningOf(name, 100)}".`,
    'Use the same version on both machines.',
  );
}

function invalidCall(name: string, error: z.ZodError): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${name}: ${firstIssue(error, 'the arguments')}.`,
    'Use the same version on both machines.',
  );
}
