import { once } from 'node:events';
import { chown } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { userListeningAt, userOfSocket } from './listening-user.ts';
import { canBeOtherUser, startForOtherUser } from './other-user.fixture.ts';

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(...place: [port: number, host: string] | [path: string]): Promise<Server> {
  const server = createServer();
  closing.push(() => server.close());
  await once(server.listen(...(place as [number, string])), 'listening');
  return server;
}
const portOf = (server: Server): number => (server.address() as AddressInfo).port;

describe.runIf(process.platform === 'linux')('on Linux', () => {
  test.each(['127.0.0.1', '0.0.0.0', '::1', '::'])(
    'a server of this user at %s is known as its own',
    async (host) => {
      expect(await userListeningAt(portOf(await listen(0, host)))).toBe('own');
    },
  );

  test('a port where nothing listens has none, though connections were made from and to it', async () => {
    const server = await listen(0, '127.0.0.1');
    const port = portOf(server);
    server.close();
    await once(server, 'close');
    expect(await userListeningAt(port)).toBe('none');
  });

  test.runIf(canBeOtherUser)('a server of another user is not taken for an own one', async () => {
    const { port, close } = await startForOtherUser();
    closing.push(close);
    expect(await userListeningAt(port)).toBe('other');
  });

  test.runIf(canBeOtherUser)(
    'one of another user at the other address of a name spoils the port',
    async () => {
      const { port, close } = await startForOtherUser('::1');
      closing.push(close);
      await listen(port, '127.0.0.1');
      expect(await userListeningAt(port)).toBe('other');
    },
  );
});

test.runIf(process.platform !== 'linux')('elsewhere the system does not tell', async () => {
  expect(await userListeningAt(1)).toBe('unknown');
});

describe.runIf(process.platform !== 'win32')('a local socket', () => {
  test('belongs to the user who made it', async () => {
    const path = join(await temporaryFolder(), 'socket');
    expect(await userOfSocket(path)).toBe('none');
    await listen(path);
    expect(await userOfSocket(path)).toBe('own');
    if (!canBeOtherUser) return;
    await chown(path, 65534, 65534);
    expect(await userOfSocket(path)).toBe('other');
  });
});
