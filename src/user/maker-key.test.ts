import { mkdtemp, readFile, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { userDataFolder } from '../platform/environment.ts';
import { fingerprintOf, isSignedBy, makerKeyVariable, ownMaker, trustedMakers } from './maker-key.ts';

async function user(more: Record<string, string> = {}) {
  const home = await mkdtemp(join(tmpdir(), 'home-'));
  return (name: string) => ({ HOME: home, ...more })[name];
}

test('a user signs with one key, which only they can read, and another user with another', async () => {
  const environment = await user();
  const [first, again] = await Promise.all([ownMaker(environment), ownMaker(environment)]);
  expect(again.fingerprint).toBe(first.fingerprint);
  expect(fingerprintOf(first.publicKey)).toBe(first.fingerprint);
  expect((await ownMaker(await user())).fingerprint).not.toBe(first.fingerprint);
  const file = join(userDataFolder(environment), 'maker.key');
  if (process.platform !== 'win32') expect((await stat(file)).mode & 0o077).toBe(0);
  const bytes = Buffer.from('an index');
  expect(isSignedBy(first.publicKey, bytes, first.sign(bytes))).toBe(true);
  expect(isSignedBy(first.publicKey, Buffer.from('another'), first.sign(bytes))).toBe(false);
  expect(isSignedBy('no key', bytes, first.sign(bytes))).toBe(false);
  // Where no folder outlives the work, a variable holds the key.
  const inCi = await user({ [makerKeyVariable]: await readFile(file, 'utf8') });
  expect((await ownMaker(inCi)).fingerprint).toBe(first.fingerprint);
  const wrong = ownMaker(await user({ [makerKeyVariable]: 'hush' }));
  await expect(wrong).rejects.toMatchObject({ code: 'file-unreadable' });
  await expect(wrong).rejects.not.toThrow('hush');
});

test('a maker is trusted for one project, until that is withdrawn', async () => {
  const makers = trustedMakers(await user());
  await makers.give('/a', 'f1');
  await makers.give('/a', 'f1');
  await makers.give('/a', 'f2');
  expect([await makers.of('/a'), await makers.of('/b')]).toEqual([['f1', 'f2'], []]);
  expect(await makers.withdraw('/a', 'f1')).toBe(1);
  expect(await makers.of('/a')).toEqual(['f2']);
  expect(await makers.withdraw('/a')).toBe(1);
});
