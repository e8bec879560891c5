import { cp } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** Where a server is started. */
export interface StartPlace {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

/** A client and the process of its server. */
export interface StartedClient {
  readonly client: Client;
  readonly pid: number;
}

const built = fileURLToPath(new URL('../../dist/surfaces/cli/main.js', import.meta.url));

/** Starts a server of the protocol and waits for its first answer. */
export async function startClient(
  command: string,
  args: readonly string[],
  { folder, env }: StartPlace,
): Promise<StartedClient> {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({
    command,
    args: [...args],
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', ...env },
    stderr: 'ignore',
  });
  await client.connect(transport);
  return { client, pid: transport.pid ?? 0 };
}

/** Starts the built `quarry mcp` for a folder, with a home of its own. */
export function startBuilt(folder: string, home: string): Promise<StartedClient> {
  return startClient(process.execPath, [built, 'mcp', folder], { folder, env: { HOME: home } });
}

/** Searches, and returns what came back as data. */
export async function searchWith(
  client: Client,
  query: string,
): Promise<{ readonly passages: readonly unknown[]; readonly notes: readonly string[] }> {
  const { structuredContent } = await client.callTool(
    { name: 'search', arguments: { query } },
    { timeout: 120_000 },
  );
  return structuredContent as { passages: unknown[]; notes: string[] };
}

/** Copies a project without its index, so that it is rebuilt. */
export function copyProject(source: string, target: string): Promise<void> {
  return cp(source, target, {
    recursive: true,
    filter: (path) => !/\/(\.quarry|node_modules|\.git)$/.test(path),
  });
}
