import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openServerNames } from './server-names.ts';

const server = 'https://search.example.com';

test('a folder has its own name on a server, or that under which it was pushed; one that is not sure says between which', async () => {
  const home = await temporaryFolder();
  const names = openServerNames((name) => (name === 'HOME' ? home : undefined));
  const root = await temporaryFolder({ 'a/x/api/1.md': '1', 'b/x/api/2.md': '2', 'c/api/3.md': '3' });
  const [a, b, c] = ['a/x/api', 'b/x/api', 'c/api'].map((folder) => join(root, folder)) as [
    string,
    string,
    string,
  ];
  expect(await names.nameOf(server, a)).toBe('api');
  await names.remember(server, a, 'api');
  expect(await names.nameOf(server, a)).toBe('api');
  // Without asking, a push of the second would take the place of the first.
  await expect(names.nameOf(server, b)).rejects.toMatchObject({
    code: 'usage-invalid',
    message: expect.stringContaining(a),
    remedy: expect.stringMatching(/--name b-x-api, .*--name api/),
  });
  expect(await names.nameOf('https://other.example.com', b)).toBe('api');
  await names.remember(server, b, 'second');
  expect(await names.nameOf(server, b)).toBe('second');
  expect(await names.nameOf(server, a)).toBe('api');
  await names.remember(server, b, 'third');
  await expect(names.nameOf(server, b)).rejects.toMatchObject({
    message: expect.stringContaining('second, third'),
  });
  // The own name is always one of them.
  await names.remember(server, a, 'staging');
  expect(await names.nameOf(server, a)).toBe('api');
  // A folder that is gone needs no name, and one that was given away is no longer its own.
  await names.remember(server, c, 'api');
  await expect(names.nameOf(server, b)).rejects.toThrow();
  expect(await names.nameOf(server, a)).toBe('staging');
  await rm(c, { recursive: true });
  await names.remember(server, a, 'api');
  expect(await names.nameOf(server, a)).toBe('api');
});

test('folders whose names are alike in the letters of a server are told apart', async () => {
  const home = await temporaryFolder();
  const names = openServerNames((name) => (name === 'HOME' ? home : undefined));
  const root = await temporaryFolder({ 'a b/1.md': '1', 'a-b/2.md': '2' });
  const folders = [join(root, 'a b'), join(root, 'a-b')];
  const given = await names.namesOf(server, folders);
  expect(new Set(given.values()).size).toBe(2);
  expect([...(await names.namesOf(server, folders.toReversed(), given)).entries()].sort()).toEqual(
    [...given.entries()].sort(),
  );
});
