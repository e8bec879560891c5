import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createClient } from '../../client/client.ts';
import { socketTransport } from '../../client/socket-transport.ts';
import type { AnsweredRequest, LogEntry } from './refusal-log.ts';
import { type ServerOptions, startServer } from './server.ts';

/** A server over a socket and a loopback port, with a home of its own, or one that a previous server had. */
export async function startTestServer(options: Partial<ServerOptions> = {}, previous?: string) {
  const home = previous ?? (await mkdtemp(join(tmpdir(), 'server-')));
  const socket = join(home, 'run', 'socket');
  const log: AnsweredRequest[] = [];
  const summedUp: Exclude<LogEntry, AnsweredRequest>[] = [];
  // Each further thread would load the parsers again.
  const variables: Record<string, string> = { HOME: home, QUARRY_RESOURCES_THREADS: '1' };
  const server = await startServer({
    environment: (name) => variables[name],
    version: '0.0.0',
    build: 'test',
    environmentName: 'test',
    places: [{ socket }, { host: '127.0.0.1', port: 0 }],
    // What is tested by most is not who may ask.
    isOpen: true,
    watch: false,
    log: (entry) => (entry.type === 'request-answered' ? log.push(entry) : summedUp.push(entry)),
    ...options,
  });
  const url = server.addresses[1] ?? '';
  return {
    home,
    socket,
    url,
    log,
    summedUp,
    server,
    client: createClient(socketTransport(socket)),
    /** A project that receives its files, with hashed vectors too. */
    async receiver(id: string): Promise<string> {
      const client = createClient(socketTransport(socket));
      const { folder } = (await client.request('POST', '/v1/projects', { id })) as { folder: string };
      await writeFile(join(folder, 'quarry.toml'), '[embedder]\ndriver = "hashing"\n');
      return folder;
    },
    async folder(files: Readonly<Record<string, string>>): Promise<string> {
      const folder = await mkdtemp(join(home, 'project-'));
      // Hashed vectors: what is tested here is the way to the engine, not its model.
      const all = { 'quarry.toml': '[embedder]\ndriver = "hashing"\n', ...files };
      for (const [path, text] of Object.entries(all)) {
        await mkdir(dirname(join(folder, path)), { recursive: true });
        await writeFile(join(folder, path), text);
      }
      return folder;
    },
  };
}
