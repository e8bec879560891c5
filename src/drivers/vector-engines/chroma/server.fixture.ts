import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../../../test/servers/stores/server-process.ts';
import { askSharedServer } from '../../../../test/servers/stores/shared-server.fixture.ts';

/** Chroma's own server, as a library that a process of Node.js loads. */
const packageName = 'chromadb-js-bindings-linux-x64-gnu';
const folder =
  process.env.QUARRY_TEST_CHROMA ??
  join(homedir(), '.cache', 'quarry-tests', 'chroma', 'node_modules', packageName);

/** Why there is no server for tests on this machine; undefined where there is one. */
export const noServer = existsSync(folder)
  ? undefined
  : "Chroma's server is not installed: run scripts/install-chroma.sh";

/** A Chroma server of its own over the files in a folder, on a free port of this machine or the given one. */
export async function startChroma(files: string, port?: number): Promise<ServerProcess> {
  const given = port ?? (await freePort());
  const words = ['chroma', 'run', '--path', files, '--host', '127.0.0.1', '--port', String(given)];
  const program = `require(${JSON.stringify(folder)}).cli(${JSON.stringify(words)})`;
  const server = await startServer([process.execPath, '-e', program], given, '/api/v2/heartbeat');
  if (!server) throw new Error(`Chroma's server in ${folder} does not start.`);
  return server;
}

/** The one Chroma server of the whole test run; a test file names its own collections in it. */
export function sharedChroma(): Promise<Pick<ServerProcess, 'url'>> {
  return askSharedServer('chroma');
}
