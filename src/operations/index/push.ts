import { z } from 'zod';
import type { Project } from '../../calls/project.ts';
import { isOnThisMachine, serverInUse } from '../../client/server-address.ts';
import { openServerNames } from '../../client/server-names.ts';
import { programVersion } from '../../client/version.ts';
import { QuarryError } from '../../core/errors.ts';
import type { PushEvent } from '../../core/events.ts';
import { indexSummarySchema } from '../../core/index-summary.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { observe } from '../../platform/streams.ts';
import type { PushOptions } from '../../push/push-project.ts';
import type { Sent } from '../../streaming/send-files.ts';
import { defineOperation } from '../operation.ts';

const count = z.int().min(0);
const pathWithReason = z.object({ path: z.string(), reason: z.string() });

/** Sends the files of a folder to a project on a server. */
export const pushOperation = defineOperation({
  effect: 'writes',
  // It sends files of the machine it runs on.
  reach: 'machine',
  input: z.strictObject({
    server: z.string().optional().describe('Address of the server (default: QUARRY_SERVER).'),
    name: z
      .string()
      .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'write 1 to 64 letters, digits, ".", "_" or "-"')
      .optional()
      .describe(
        'Name of the project on the server; made there if need be (default: that of previous pushes, else of the folder).',
      ),
    watch: z.boolean().default(false).describe('Send each change as it happens, until stopped.'),
    gzip: z.boolean().optional().describe('Compress what is sent (default: except to this machine).'),
  }),
  output: z.object({
    server: z.string(),
    project: z.string(),
    files: count.describe('Files that the server now has.'),
    bytes: count,
    added: count,
    changed: count,
    removed: count,
    sent_files: count.describe('Files whose contents travelled; the others were there.'),
    sent_bytes: count,
    redacted: count.describe('Secrets that were blacked out before they were sent.'),
    withheld: z
      .array(pathWithReason)
      .describe('Files that hold secrets in a form in which they cannot be blacked out.'),
    failed: z.array(pathWithReason),
    index: indexSummarySchema.optional().describe("What came of it in the server's index."),
  }),
  examples: [
    { input: { server: 'http://search.example.com:8001' }, explains: 'send this folder to a server' },
    { input: { server: 'http://localhost:8001', name: 'docs', watch: true }, explains: 'and keep it so' },
  ],
  events: async () => (await import('../../core/events.ts')).pushEventSchema,
  streams: true,
  async *run(project, { server: given, name, watch, gzip }, { signal }) {
    const server = serverInUse(processEnvironment, given);
    if (!server) throw serverMissing();
    const names = openServerNames(processEnvironment);
    const target = name ?? (await names.nameOf(server.url, project.folder));
    const options: PushOptions = {
      server,
      project: target,
      gzip: gzip ?? !isOnThisMachine(server),
      client: `quarry/${programVersion()}`,
      onReceived: () => names.remember(server.url, project.folder, target),
      signal,
    };
    const report = createReport();
    const sent = yield* observe(watch ? watched(project, options) : once(project, options), report.look);
    return { server: server.url, project: target, ...report.result(), ...totals(sent) };
  },
});

async function* once(project: Project, options: PushOptions): AsyncGenerator<PushEvent, Sent> {
  const { pushFolder } = await import('../../push/push-project.ts');
  return yield* pushFolder({ ...project, environment: processEnvironment }, options);
}

/** Pushes each change, and returns what the last push came to. */
async function* watched(project: Project, options: PushOptions): AsyncGenerator<PushEvent, Sent | undefined> {
  const { watchPush } = await import('../../push/watch-push.ts');
  const { openProject } = await import('../../project/open-project.ts');
  const readSettings = async () => {
    const current = await openProject(project.folder);
    await current.close();
    return current.settings;
  };
  let last: Sent | undefined;
  yield* watchPush({ ...project, environment: processEnvironment, readSettings }, options, (sent) => {
    last = sent;
  });
  return last;
}

/** Gathers from the events what a person has to know of single files. */
function createReport() {
  let redacted = 0;
  const withheld = new Map<string, string>();
  const failed = new Map<string, string>();
  const list = (paths: ReadonlyMap<string, string>) => [...paths].map(([path, reason]) => ({ path, reason }));
  return {
    look(event: PushEvent): void {
      if (event.type === 'secrets-redacted')
        redacted += event.found.reduce((sum, { count: found }) => sum + found, 0);
      if (event.type === 'path-skipped' && event.skipped.reason === 'secret-file')
        withheld.set(event.skipped.uri, event.skipped.rule);
      if (event.type === 'document-failed') failed.set(event.uri, event.reason);
    },
    result: () => ({ redacted, withheld: list(withheld), failed: list(failed) }),
  };
}

function totals(sent: Sent | undefined) {
  const { files = 0, bytes = 0, added = 0, changed = 0, removed = 0 } = sent?.stats ?? {};
  const { received_files: sent_files = 0, received_bytes: sent_bytes = 0 } = sent?.stats ?? {};
  const index = indexSummarySchema.safeParse(sent?.index);
  return {
    files,
    bytes,
    added,
    changed,
    removed,
    sent_files,
    sent_bytes,
    ...(index.success && { index: index.data }),
  };
}

function serverMissing(): QuarryError {
  return new QuarryError('usage-invalid', 'No server is named.', 'Give --server URL, or set QUARRY_SERVER.');
}
