import { once } from 'node:events';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../src/core/errors.ts';
import { startPostgres, type TestServer } from '../src/drivers/stores/postgres/server.fixture.ts';
import { startChroma } from '../src/drivers/vector-engines/chroma/server.fixture.ts';
import type { ServerProcess } from './servers/stores/server-process.ts';

/**
 * Starts each server of a store once for the whole test run, when the first test file asks for it, and ends it after the
 * last one. Tests that kill or pause a server start one of their own.
 */
export default async function setUp(): Promise<(() => Promise<void>) | undefined> {
  // Each group of tests calls this in the same process: the first call is enough.
  if (process.env.TEST_SERVERS !== undefined) return undefined;
  let postgres: Promise<TestServer> | undefined;
  let chroma: Promise<ServerProcess> | undefined;
  let databases = 0;
  const answers: Record<string, () => Promise<object>> = {
    async '/postgres'() {
      postgres ??= startPostgres();
      const { query, port } = await postgres;
      databases += 1;
      const database = `quarry_${databases}`;
      query(`CREATE DATABASE ${database}`);
      query('CREATE EXTENSION vector', database);
      return { port, database };
    },
    async '/chroma'() {
      chroma ??= startChroma(join(tmpdir(), 'shared-chroma'));
      return { url: (await chroma).url };
    },
  };
  const broker = createServer(async (request, response) => {
    try {
      response.end(JSON.stringify(await answers[request.url ?? '']?.()));
    } catch (error) {
      response.writeHead(500).end(messageOf(error));
    }
  }).listen(0, '127.0.0.1');
  await once(broker, 'listening');
  const address = broker.address();
  process.env.TEST_SERVERS = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  return async () => {
    broker.close();
    await (await postgres)?.end();
    await (await chroma)?.kill();
  };
}
