import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { programVersion } from '../../client/version.ts';
import { asQuarryError } from '../../core/errors.ts';
import { shownLine } from '../../core/text/shown-text.ts';
import { keepCompiledModules } from '../../platform/compile-cache.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { once } from '../../platform/once.ts';
import { type ClientRoots, createClientRoots } from './client-roots.ts';
import type { Host } from './host.ts';
import { jsonLines } from './json-lines.ts';
import { createMcpServer } from './server.ts';

/** What the process was told. */
export interface StdioOptions {
  /** Project folders to offer. */
  readonly folders: readonly string[];
  /** The server to ask instead of an engine on this machine. */
  readonly server?: string | undefined;
}

/** Milliseconds after which the words of the command are looked at, where no request has asked for it. */
const wordsAfter = 500;

/** Milliseconds after which compiled modules are kept: once for the start, once for the first calls. */
const compiledAfter = [1_000, 15_000];

/**
 * Serves the client that started this process. What it was told is read after the client has its first answer; a mistake
 * in it ends the process.
 */
export function serveOverStdio(readInput: () => Promise<StdioOptions>): void {
  const input = once(readInput);
  const version = programVersion();
  const handle = serveStdio(
    () => {
      const host = lateHost(async () => hostOf(await input(), roots));
      const server = createMcpServer(host, version, (context) =>
        input().then(
          ({ folders }) => (folders.length > 0 ? undefined : roots.questionFor(context)),
          // The host says what is wrong with the words.
          () => undefined,
        ),
      );
      const roots = createClientRoots(server);
      return server;
    },
    { transport: new StdioServerTransport(jsonLines(process.stdin, process.stdout), process.stdout) },
  );
  const look = (): void => {
    input().catch((thrown: unknown) => {
      const { message, remedy, code, exitCode } = asQuarryError(thrown);
      process.stderr.write(`quarry: ${shownLine(message)} (${code})\n${shownLine(remedy)}\n`);
      process.exitCode = exitCode;
      void handle.close();
    });
  };
  setTimeout(look, wordsAfter);
  for (const after of compiledAfter) setTimeout(keepCompiledModules, after).unref();
}

async function hostOf({ server: url, folders }: StdioOptions, roots: ClientRoots): Promise<Host> {
  const { offeredProjects } = await import('./offered-folders.ts');
  const names = new Map<string, string>();
  const offered = () => offeredProjects({ named: folders, roots: roots.list, names });
  if (url === undefined) return (await import('./resident-host.ts')).createResidentHost(offered);
  const { createRemoteHost } = await import('./remote-host.ts');
  return createRemoteHost(url, processEnvironment('QUARRY_TOKEN'), offered);
}

/** A host that is opened when it is first asked. */
function lateHost(open: () => Promise<Host>): Host {
  let opened: Promise<Host> | undefined;
  let host: Host | undefined;
  const ready = async (): Promise<Host> => {
    opened ??= open();
    host = await opened;
    return host;
  };
  return {
    projects: async (signal) => (await ready()).projects(signal),
    call: async (...words) => (await ready()).call(...words),
    startJob: async (...words) => (await ready()).startJob(...words),
    job: async (id) => (await ready()).job(id),
    cancelJob: async (id) => (await ready()).cancelJob(id),
    notes: () => host?.notes() ?? [],
  };
}
