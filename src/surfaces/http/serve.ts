import { readFile } from 'node:fs/promises';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import { environmentName, programBuild } from '../../client/build.ts';
import { forgetEngine, noteEngine } from '../../client/engine-process.ts';
import { replaceResident, residentOf } from '../../client/resident.ts';
import { type ResidentAddress, residentAddress } from '../../client/resident-address.ts';
import { ensureResidentFolder } from '../../client/resident-folder.ts';
import { forgetStart } from '../../client/starting-resident.ts';
import { programVersion } from '../../client/version.ts';
import { isSettingsFault, QuarryError } from '../../core/errors.ts';
import type { ServerEvent } from '../../core/events.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import { defineOperation } from '../../operations/operation.ts';
import { onAbort } from '../../platform/abort.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { createQueue } from '../../platform/queue.ts';
import { tryLock, type WriterLock } from '../../platform/sqlite/writer-lock.ts';
import { findProjectFolder, isMarked } from '../../state-folder/state-folder.ts';
import { makeToken, type TokenRecord } from '../../user/tokens.ts';
import type { Place } from './listen.ts';
import { loopbackHosts } from './requests/guard.ts';
import { startServer } from './server.ts';

/** Events that wait for a slow log. */
const maxEvents = 10_000;
/** Milliseconds for which the place of an engine that is ending is waited for. */
const endsWithin = 20_000;

/** Answers for the projects of this machine until stopped. */
export const serveCommand = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  input: z.strictObject({
    port: z.int().min(0).max(65_535).optional().describe('Also listen on this TCP port; 0 for any free one.'),
    host: z.string().default('127.0.0.1').describe('The address to listen on.'),
    allow_host: z
      .array(z.string())
      .default([])
      .describe('A further name by which callers reach it, as in their Host header; may be repeated.'),
    open: z
      .boolean()
      .default(false)
      .describe('Let every user and program of this machine in without a token; on loopback alone.'),
    tls_cert: z.string().optional().describe('File with the certificate for https.'),
    tls_key: z.string().optional().describe('File with its key.'),
    projects: z
      .string()
      .optional()
      .describe('File with the registered projects (default: your projects.yaml).'),
    folder: z
      .array(z.string())
      .default([])
      .describe(
        'Open this folder at once and keep it up to date; may be repeated (default: the project that it is started in, unless --projects says which there are).',
      ),
    idle_minutes: z.number().min(0).optional().describe('End after this time without work.'),
    resident: z
      .boolean()
      .default(false)
      .describe('End quietly where another engine runs already, and when idle.'),
  }),
  output: z.object({ requests: z.int().min(0).describe('Requests that were answered.') }),
  examples: [
    { input: {}, explains: 'keep projects open for other commands, until Ctrl-C' },
    { input: { port: 8001 }, explains: 'answer over HTTP too; prints a token for callers' },
    {
      input: { port: 8001, host: '0.0.0.0', allow_host: ['search.example.com'] },
      explains: 'serve a team: each gets a token by quarry token create',
    },
  ],
  events: async () => (await import('../../core/events.ts')).serverEventSchema,
  streams: true,
  async *run(_, input, { signal }): AsyncGenerator<ServerEvent, { requests: number }> {
    const environment = processEnvironment;
    const address = residentAddress(environment);
    const access = accessTo(input);
    // An engine in the background comes after one that is ending, and makes way for a server that a person starts: told to end, it still
    // answers for a moment.
    const isEnding = input.resident ? async () => !(await isAnswering(signal)) : () => replaceResident();
    const lock = await lockAfterEnd(address, isEnding, signal);
    if (!lock && input.resident) return { requests: 0 };
    if (!lock) throw alreadyRunning();
    const events = createQueue<ServerEvent>(maxEvents);
    let requests = 0;
    const { token, record } = access.isOpen || input.port === undefined ? {} : tokenOfRun();
    try {
      noteEngine(address);
      const server = await startServer({
        environment,
        environmentName: environmentName(environment),
        version: programVersion(),
        build: programBuild(),
        isBackground: input.resident,
        places: [{ socket: address.socket }, ...(await networkPlace(input))],
        ...access,
        ...(input.projects !== undefined && { projectsFile: input.projects }),
        ...idleOf(input),
        folders: await foldersOf(input),
        token: record,
        log(entry) {
          requests += entry.type === 'requests-refused' ? entry.requests : 1;
          events.push(entry);
        },
      });
      await forgetStart();
      events.push({
        type: 'server-started',
        addresses: server.addresses,
        pid: process.pid,
        ...(access.isOpen && { open: true }),
        ...(token !== undefined && { token }),
      });
      // `server.end()` below fails with the same.
      const ignore = onAbort(signal, () => void server.end().catch(() => undefined));
      void server.ended.finally(() => events.end()).catch(() => undefined);
      try {
        yield* events;
      } finally {
        ignore();
        await server.end();
      }
      if (server.isLost && !input.resident) throw socketRemoved(address);
    } finally {
      forgetEngine(address);
      lock.release();
    }
    return { requests };
  },
});

/** The lock, as soon as the engine that has it lets go; undefined where it stays, or takes too long to end. */
async function lockAfterEnd(
  address: ResidentAddress,
  isEnding: () => Promise<boolean>,
  signal: AbortSignal | undefined,
): Promise<WriterLock | undefined> {
  const until = performance.now() + endsWithin;
  for (;;) {
    const lock = await lockOf(address);
    if (lock || performance.now() > until || !(await isEnding())) return lock;
    await setTimeout(50, undefined, { signal });
  }
}

/** The folders to open at once. Without a word on projects it is that which a server is started in: callers need not open it first. */
async function foldersOf(
  input: Readonly<Pick<z.output<typeof serveCommand.input>, 'folder' | 'projects' | 'resident'>>,
): Promise<readonly string[]> {
  if (input.folder.length > 0 || input.projects !== undefined || input.resident) return input.folder;
  const folder = await findProjectFolder('.');
  return isMarked(folder) && (await hasUsableSettings(folder)) ? [folder] : [];
}

/** A project that nobody named must not keep a server from starting for the others; whoever asks for it is told as well. */
async function hasUsableSettings(folder: string): Promise<boolean> {
  const { openProject } = await import('../../project/open-project.ts');
  try {
    await (await openProject(folder)).close();
    return true;
  } catch (thrown) {
    if (!isSettingsFault(thrown)) throw thrown;
    process.stderr.write(
      `warning This project is not opened: ${shownLine(thrown.message)} ${shownLine(thrown.remedy)}\n`,
    );
    return false;
  }
}

/** Whether an engine is there, of whatever build; one that is silent is, too. */
async function isAnswering(signal: AbortSignal | undefined): Promise<boolean> {
  try {
    await residentOf().client.request('GET', '/health', undefined, signal);
    return true;
  } catch (thrown) {
    return !(thrown instanceof QuarryError && thrown.code === 'server-unreachable');
  }
}

async function lockOf(address: ResidentAddress): Promise<WriterLock | undefined> {
  await ensureResidentFolder(address).catch((cause) => {
    if (cause instanceof QuarryError) throw cause;
    throw new QuarryError(
      'file-unreadable',
      `The folder ${address.folder} cannot be made.`,
      'Set QUARRY_CACHE_FOLDER to a folder that can be written.',
      { cause },
    );
  });
  return tryLock(address.lock);
}

/** A token for all projects but nothing that they share, and its record, which is kept in memory alone. */
function tokenOfRun(): { readonly token?: string; readonly record?: TokenRecord } {
  const { token, ...record } = makeToken({ name: 'serve', project: '*', access: 'write' });
  return { token, record };
}

/** Who may ask: callers with a token, by the names that were allowed; without one only where that was asked for. */
export function accessTo(input: {
  readonly host: string;
  readonly port?: number | undefined;
  readonly allow_host: readonly string[];
  readonly open: boolean;
}): { readonly hosts: readonly string[]; readonly isOpen: boolean } {
  const isLocal = isLoopbackHost(input.host);
  if (input.open && !isLocal)
    throw new QuarryError(
      'usage-invalid',
      `--open lets everybody in without a token, so it is for loopback alone, and ${input.host} is not.`,
      'Leave out --open and give callers tokens: quarry token create; or leave out --host.',
    );
  if (input.open && input.port === undefined)
    throw new QuarryError(
      'usage-invalid',
      '--open is for callers over TCP, and no port is named.',
      'Give --port too, or leave out --open.',
    );
  return { hosts: [...input.allow_host, ...(isLocal ? [] : [input.host])], isOpen: input.open };
}

async function networkPlace(input: {
  readonly port?: number | undefined;
  readonly host: string;
  readonly tls_cert?: string | undefined;
  readonly tls_key?: string | undefined;
}): Promise<Place[]> {
  const { port, host, tls_cert, tls_key } = input;
  if (port === undefined) return [];
  if ((tls_cert === undefined) !== (tls_key === undefined))
    throw new QuarryError(
      'usage-invalid',
      'https needs a certificate and its key.',
      'Give --tls-cert and --tls-key.',
    );
  if (tls_cert === undefined || tls_key === undefined) return [{ host, port }];
  return [{ host, port, tls: { cert: await readText(tls_cert), key: await readText(tls_key) } }];
}

async function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause) => {
    throw new QuarryError(
      'file-unreadable',
      `${path} cannot be read.`,
      'Check the path and its permissions.',
      {
        cause,
      },
    );
  });
}

function idleOf({ idle_minutes, resident }: { idle_minutes?: number | undefined; resident: boolean }) {
  const minutes = idle_minutes ?? (resident ? 30 : undefined);
  return minutes === undefined ? {} : { idleMilliseconds: minutes * 60_000 };
}

function isLoopbackHost(host: string): boolean {
  return loopbackHosts.includes(host.includes(':') ? `[${host}]` : host);
}

function socketRemoved({ socket }: ResidentAddress): QuarryError {
  return new QuarryError(
    'server-unreachable',
    `No command reaches this engine any more: ${socket} was removed.`,
    'Start it again with: quarry serve',
  );
}

function alreadyRunning(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'A server that you started is running already.',
    'End it first with: quarry stop',
  );
}
