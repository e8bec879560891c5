import { createHmac } from 'node:crypto';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { freePort, type ServerProcess, startServer } from '../../../../test/servers/stores/server-process.ts';

/** Azure's own emulator of its blob storage, as a program of Node.js. */
const folder =
  process.env.QUARRY_TEST_AZURITE ??
  join(homedir(), '.cache', 'quarry-tests', 'azurite', 'node_modules', 'azurite');

/** Why there is no server for tests on this machine; undefined where there is one. */
export const noServer = existsSync(folder)
  ? undefined
  : 'Azurite is not installed: run scripts/install-azurite.sh';

/** The account that every Azurite has, with a key that its documentation names. */
const account = 'devstoreaccount1';
const key = 'Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==';

/** A server of its own, with nothing on disk and one container, and the variables that lead to it. */
export async function startAzurite(container: string) {
  const port = await freePort();
  const program = join(folder, 'dist', 'src', 'blob', 'main.js');
  const words = ['--inMemoryPersistence', '--blobHost', '127.0.0.1', '--blobPort', String(port)];
  const quiet = ['--silent', '--disableTelemetry', '--skipApiVersionCheck'];
  const server = await startServer([process.execPath, program, ...words, ...quiet], port, '/');
  if (!server) throw new Error(`Azurite in ${folder} does not start.`);
  await makeContainer(server, container);
  const variables = {
    AZURE_STORAGE_ACCOUNT_NAME: account,
    AZURE_STORAGE_ACCOUNT_KEY: key,
    AZURE_STORAGE_ENDPOINT: `${server.url}/${account}`,
  };
  return { server, variables };
}

async function makeContainer({ url }: ServerProcess, container: string): Promise<void> {
  const headers = { 'x-ms-date': new Date().toUTCString(), 'x-ms-version': '2021-08-06' };
  const named = Object.entries(headers).map(([name, value]) => `${name}:${value}`);
  // The eleven standard headers that a signature covers are not sent.
  const signed = [
    'PUT',
    ...Array(11).fill(''),
    ...named,
    `/${account}/${account}/${container}`,
    'restype:container',
  ];
  const signature = createHmac('sha256', Buffer.from(key, 'base64'))
    .update(signed.join('\n'))
    .digest('base64');
  const answer = await fetch(`${url}/${account}/${container}?restype=container`, {
    method: 'PUT',
    headers: { ...headers, authorization: `SharedKey ${account}:${signature}` },
  });
  if (!answer.ok) throw new Error(`Azurite made no container: ${await answer.text()}`);
}
