import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { databaseAddress, requireConsent } from '../drivers/stores/postgres/address.ts';
import { createDriverContext } from '../opening/driver-context.ts';
import { canBeOtherUser, startForOtherUser } from '../platform/other-user.fixture.ts';
import {
  everyProject,
  giveConsent,
  isAgreed,
  parseAddress,
  readConsents,
  withdrawConsent,
} from './consent.ts';

const provider = new URL('https://api.example.com/v1/embeddings');

async function contextOf(options: {
  home?: string;
  folder?: string;
  addressLayer?: 'project' | 'user' | 'flag';
  consent?: string[];
}) {
  const home = options.home ?? (await temporaryFolder());
  return createDriverContext({
    folder: options.folder ?? '/projects/a',
    stateFolder: home,
    resources: { memoryBytes: 2 ** 30, threads: 2 },
    environment: (name) => ({ HOME: home, XDG_CONFIG_HOME: home, APPDATA: home })[name],
    addressLayer: options.addressLayer ?? 'user',
    consent: options.consent ?? [],
  });
}

describe('the record of consents', () => {
  test('holds what was agreed, for one project and one address', async () => {
    const folder = await temporaryFolder();
    await giveConsent(folder, '/projects/a', provider);
    await giveConsent(folder, '/projects/a', new URL('https://api.example.com/other'));
    const consents = await readConsents(folder);
    expect(consents).toMatchObject([{ project: '/projects/a', address: 'https://api.example.com' }]);
    expect(isAgreed(consents, '/projects/a', provider)).toBe(true);
    expect(isAgreed(consents, '/projects/b', provider)).toBe(false);
    expect(isAgreed(consents, '/projects/a', new URL('http://api.example.com'))).toBe(false);
    expect(isAgreed(consents, '/projects/a', new URL('https://api.example.com:8443'))).toBe(false);
    expect(isAgreed(consents, '/projects/a', new URL('https://api.example.com.evil.test'))).toBe(false);
  });

  test('is changed by withdrawing, for one address or all', async () => {
    const folder = await temporaryFolder();
    await giveConsent(folder, '/a', provider);
    await giveConsent(folder, '/a', new URL('https://other.test'));
    await giveConsent(folder, everyProject, provider);
    expect(await withdrawConsent(folder, '/a', provider)).toBe(1);
    expect(await withdrawConsent(folder, '/a')).toBe(1);
    expect(await withdrawConsent(folder, '/a')).toBe(0);
    expect(isAgreed(await readConsents(folder), '/a', provider)).toBe(true);
  });

  test('keeps everything that is given and withdrawn at the same moment', async () => {
    const folder = await temporaryFolder();
    const numbers = Array.from({ length: 12 }, (_, number) => number);
    await giveConsent(folder, '/gone', provider);
    await Promise.all([
      withdrawConsent(folder, '/gone'),
      ...numbers.map((number) => giveConsent(folder, `/projects/${number}`, provider)),
    ]);
    const projects = (await readConsents(folder)).map(({ project }) => project);
    expect(projects.sort()).toEqual(numbers.map((number) => `/projects/${number}`).sort());
  });

  test('that is damaged agrees to nothing and says what to do', async () => {
    const folder = await temporaryFolder({ 'consents.json': '{"consents": "yes"}' });
    await expect(readConsents(folder)).rejects.toMatchObject({ code: 'file-unreadable' });
    await writeFile(join(folder, 'consents.json'), 'nonsense');
    await expect(giveConsent(folder, '/a', provider)).rejects.toMatchObject({ code: 'file-unreadable' });
    expect(await readFile(join(folder, 'consents.json'), 'utf8')).toBe('nonsense');
  });
});

test.each([
  'ftp://host',
  'javascript:alert(1)',
  'https://',
  'a b',
  'postgres:///database',
  'postgres://a%00b/c',
])('%j is no address', (text) => {
  expect(() => parseAddress(text)).toThrow(expect.objectContaining({ code: 'usage-invalid' }));
});

describe('an address', () => {
  test('is refused until the user agrees, with the command that does it', async () => {
    const home = await temporaryFolder();
    const context = await contextOf({ home });
    await expect(context.requireConsent(provider)).rejects.toMatchObject({
      code: 'consent-missing',
      remedy: 'Run: quarry consent give https://api.example.com',
    });
    await giveConsent(join(home, 'quarry'), '/projects/a', provider);
    await context.requireConsent(provider);
    const other = await contextOf({ home, folder: '/projects/b' });
    await expect(other.requireConsent(provider)).rejects.toMatchObject({ code: 'consent-missing' });
  });

  test('of a database is asked for, given and taken back as it is written', async () => {
    const home = await temporaryFolder();
    const context = await contextOf({ home });
    const database = databaseAddress({ url: 'postgresql://ida@DB.example.com/library' }, () => undefined);
    const missing = {
      code: 'consent-missing',
      message: expect.stringContaining(' to postgres://db.example.com:5432,'),
      remedy: 'Run: quarry consent give postgres://db.example.com:5432',
    };
    await expect(requireConsent(database, context)).rejects.toMatchObject(missing);
    const record = join(home, 'quarry');
    await giveConsent(record, '/projects/a', parseAddress('postgres://ida:word@db.example.com/library'));
    expect(await readConsents(record)).toMatchObject([{ address: 'postgres://db.example.com:5432' }]);
    await requireConsent(database, context);
    expect(await withdrawConsent(record, '/projects/a', parseAddress('postgresql://db.example.com'))).toBe(1);
    await expect(requireConsent(database, context)).rejects.toMatchObject(missing);
    // What was agreed to while a database was named like a page holds on.
    await giveConsent(record, '/projects/a', new URL('https://db.example.com:5432'));
    await requireConsent(database, context);
    await requireConsent(database, await contextOf({ consent: ['postgres://db.example.com'] }));
  });

  test('may be agreed to by the program that opens the project', async () => {
    const context = await contextOf({ consent: ['api.example.com'] });
    await context.requireConsent(provider);
    await expect(context.requireConsent(new URL('https://other.test'))).rejects.toMatchObject({
      code: 'consent-missing',
    });
  });

  describe.runIf(process.platform === 'linux')('on this machine', () => {
    test.each([
      ['127.0.0.1', '127.0.0.1'],
      ['127.0.0.1', 'localhost'],
      ['::1', '[::1]'],
    ])(
      'needs none where a process of the user answers at %s, unless a file that came with the project names it',
      async (host, name) => {
        const server = createServer();
        await once(server.listen(0, host), 'listening');
        const url = new URL(`http://${name}:${(server.address() as AddressInfo).port}/v1`);
        await (await contextOf({})).requireConsent(url);
        const named = await contextOf({ addressLayer: 'project' });
        await expect(named.requireConsent(url)).rejects.toMatchObject({ code: 'consent-missing' });
        server.close();
        await once(server, 'close');
        // Who begins to listen there in this moment gets nothing either.
        await expect((await contextOf({})).requireConsent(url)).rejects.toMatchObject({
          code: 'provider-unreachable',
          remedy: expect.stringContaining(`quarry consent give ${url.origin}`),
        });
      },
    );

    test.runIf(canBeOtherUser).each(['user', 'flag'] as const)(
      'needs one where a process of another user answers, though the layer %s names it',
      async (addressLayer) => {
        const { port, close } = await startForOtherUser();
        const url = new URL(`http://127.0.0.1:${port}/v1`);
        const home = await temporaryFolder();
        const context = await contextOf({ home, addressLayer });
        await expect(context.requireConsent(url)).rejects.toMatchObject({
          code: 'consent-missing',
          message: expect.stringContaining('A process of another user answers there.'),
          remedy: `Run: quarry consent give ${url.origin}`,
        });
        await giveConsent(join(home, 'quarry'), '/projects/a', url);
        await context.requireConsent(url);
        await close();
        await context.requireConsent(url);
      },
    );
  });

  test.each([
    'http://127.0.0.1.evil.test',
    'http://localhost.evil.test',
    'http://0.0.0.0',
    'http://10.0.0.1',
  ])('that only looks like this machine (%s) is another one', async (url) => {
    const context = await contextOf({});
    await expect(context.requireConsent(new URL(url))).rejects.toMatchObject({ code: 'consent-missing' });
  });
});
