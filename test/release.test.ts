import { execFile } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { archiveFolder, filesIn, hashOf, sumsOf } from '../scripts/bundle/archive.ts';
import { nodePackages } from '../scripts/bundle/node-packages.ts';
import { nativePackages } from '../scripts/native-packages.ts';
import { billOfMaterials, packageAddress } from '../scripts/release/bill-of-materials.ts';
import { dateUnreleased, releasesIn, unreleasedIn } from '../scripts/release/changelog.ts';
import { type Carried, fetchedPackage, packagesBeside, packagesInside } from '../scripts/release/contents.ts';
import { releasePlatforms, repack, requireUnmoved } from '../scripts/release/make-release.ts';
import { withoutPeers } from '../scripts/release/platform-files.ts';
import { provenance } from '../scripts/release/provenance.ts';
import { warningsIn } from '../scripts/release/publish.ts';
import { compareVersions, obstacles } from '../scripts/release/readiness.ts';
import { temporaryFolder } from './temporary-folder.ts';

const run = promisify(execFile);
const own = (name: string) => readFile(new URL(`../${name}`, import.meta.url), 'utf8');
const lock = JSON.parse(await own('package-lock.json'));
const manifest = JSON.parse(await own('package.json'));

const changelog = `# Changelog

## 0.2.0 - 2026-11-18

### Upgrading from 0.1.0

- Nothing to do.

## 0.1.0 - 2026-11-17

- The first.
`;
const sources = (version: string, text = changelog) => ({
  manifest: { version },
  lock: { version, packages: { '': { version } } },
  changelog: text,
});

test('what is unreleased gets a version and its day, and the rest of the changelog stays', () => {
  const open = changelog.replace('## 0.2.0 - 2026-11-18', '## Unreleased');
  expect(unreleasedIn(open)).toContain('Nothing to do.');
  expect(dateUnreleased(open, '0.2.0', '2026-11-18')).toBe(changelog);
  expect(releasesIn(open).map(({ version }) => version)).toEqual(['0.1.0']);
  expect(() => dateUnreleased(changelog, '0.3.0', '2026-12-01')).toThrow('nothing under');
  expect(() => releasesIn('# C\n\n## 0.2\n')).toThrow('"## 0.2"');
});

test('the changelog of this package can be read by the release: versions with their days, newest first', async () => {
  const releases = releasesIn(await own('CHANGELOG.md'));
  expect(releases.map(({ version }) => version)).toEqual(expect.arrayContaining(['0.2.0', '0.1.0']));
  for (const [index, { version }] of releases.entries())
    expect(compareVersions(releases[index - 1]?.version ?? '9999.0.0', version)).toBeGreaterThan(0);
});

test('a release is refused while version, lock file and changelog do not agree, with every reason', () => {
  expect(obstacles(sources('0.2.0'))).toEqual([]);
  expect(obstacles(sources('0.3.0'))).toEqual(['The newest version of the changelog is 0.2.0, not 0.3.0.']);
  expect(obstacles({ ...sources('0.2.0'), lock: { version: '0.1.0', packages: {} } })).toEqual([
    'package-lock.json has another version than package.json (0.2.0).',
  ]);
  const silent = changelog.replace(/### Upgrading.*\n/, '');
  expect(obstacles(sources('0.2.0', silent))).toEqual([
    'The changelog has no "### Upgrading from 0.1.0" for 0.2.0.',
  ]);
  const open = changelog.replace('## 0.2.0', '## Unreleased\n\n- More.\n\n## 0.2.0');
  expect(obstacles(sources('0.2.0', open))).toEqual(['The changelog has lines under "## Unreleased".']);
  const back = changelog.replace('## 0.1.0', '## 0.10.0');
  expect(obstacles(sources('0.2.0', back))).toContain('0.2.0 does not follow 0.10.0.');
  expect(compareVersions('0.10.0', '0.9.9')).toBeGreaterThan(0);
});

test('what a release carries is known to the lock file, with licence and hash', () => {
  const beside = packagesBeside(lock);
  expect(beside.map(({ name }) => name)).toEqual(
    expect.arrayContaining([...manifest.bundleDependencies, 'entities', 'file-uri-to-path']),
  );
  for (const { licence, hash } of beside) {
    expect(licence).not.toBe('');
    expect(hash.content).toMatch(/^[0-9a-f]{128}$/);
  }
  const { version } = lock.packages['node_modules/jose'];
  expect(packagesInside(lock, [{ name: 'jose', version }])).toMatchObject([
    { name: 'jose', part: 'program' },
  ]);
  expect(() => packagesInside(lock, [{ name: 'jose', version: '0.0.1' }])).toThrow('jose@0.0.1');
});

const carried: Carried[] = [
  ...packagesBeside(lock),
  ...packagesInside(lock, [{ name: 'zod', version: lock.packages['node_modules/zod'].version }]),
  ...nativePackages.map((each) => fetchedPackage(each, 'native')),
];

test('the bill of materials names each package once, by an address that scanners know, the same each time', () => {
  const subject = { version: '0.2.0', platform: 'linux-x64', time: '2026-11-18T00:00:00Z' };
  const bill = billOfMaterials(subject, carried);
  expect(bill).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 });
  expect(bill.serialNumber).toMatch(
    /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
  );
  const addresses = bill.components.map(({ purl }) => purl);
  expect(new Set(addresses).size).toBe(addresses.length);
  expect(addresses).toContain(`pkg:npm/ws@${lock.packages['node_modules/ws'].version}`);
  const zod = bill.components.find(({ name }) => name === 'zod');
  expect(zod?.properties.map(({ value }) => value)).toEqual(['package', 'program']);
  expect(bill.dependencies[0]?.dependsOn).toEqual(addresses);
  expect(billOfMaterials(subject, carried.toReversed()).components.map(({ purl }) => purl)).toEqual(
    addresses,
  );
});

test('a bill names each licence as SPDX does, and none is made with one that nobody has looked at', () => {
  const subject = { version: '0.2.0', platform: 'linux-x64', time: '2026-11-18T00:00:00Z' };
  const named = new Set(
    billOfMaterials(subject, carried).components.map(({ licenses }) => licenses[0]?.license.id),
  );
  expect([...named].sort()).toEqual(['Apache-2.0', 'BSD-2-Clause', 'ISC', 'MIT', 'MIT-0']);
  const odd = carried.map((each) => ({ ...each, licence: 'Apache 2.0' }));
  expect(() => billOfMaterials(subject, odd)).toThrow('has the licence "Apache 2.0"');
});

test('the provenance names each file, the commit, and all that went in', () => {
  const origin = { version: '0.2.0', commit: 'c0ffee', isModified: false, tools: { node: 'v24.0.0' } };
  const statement = provenance(origin, [{ name: 'quarry.tgz', sha256: 'aa' }], carried);
  expect(statement.subject).toEqual([{ name: 'quarry.tgz', digest: { sha256: 'aa' } }]);
  const { resolvedDependencies } = statement.predicate.buildDefinition;
  expect(resolvedDependencies[0]).toMatchObject({ digest: { gitCommit: 'c0ffee' } });
  for (const { package: name, version } of nativePackages)
    expect(resolvedDependencies.map(({ uri }) => uri)).toContain(
      packageAddress({ name, version, kind: 'library' }),
    );
});

test('the same files make the same archive, and its sums are those of its files', async () => {
  const [one, other] = [
    await temporaryFolder({ 'made/b.txt': 'b', 'made/a/a.txt': 'a' }),
    await temporaryFolder({ 'made/a/a.txt': 'a', 'made/b.txt': 'b' }),
  ];
  // As another umask would leave them.
  for (const [path, mode] of [
    ['made/b.txt', 0o600],
    ['made/a/a.txt', 0o775],
    ['made/a', 0o700],
  ] as const)
    await chmod(join(one, path), mode);
  await chmod(join(other, 'made/a/a.txt'), 0o700);
  for (const folder of [one, other]) await archiveFolder(join(folder, 'made.tgz'), folder, 'made');
  if (process.platform === 'linux')
    expect(await hashOf(join(one, 'made.tgz'))).toBe(await hashOf(join(other, 'made.tgz')));
  const repacked: string[] = [];
  for (const mode of [0o600, 0o664]) {
    const folder = await temporaryFolder({ 'package/a.txt': 'a', 'package/b.txt': 'b' });
    const entries = ['package/a.txt', 'package/b.txt'];
    for (const path of entries) await chmod(join(folder, path), mode);
    // npm lists no folders, and has an order of its own.
    await run('tar', ['-czf', join(folder, 'npm.tgz'), '-C', folder, ...entries.toReversed()]);
    await repack(join(folder, 'npm.tgz'), join(folder, 'made.tgz'));
    repacked.push(await hashOf(join(folder, 'made.tgz')));
  }
  if (process.platform === 'linux') expect(new Set(repacked).size).toBe(1);
  await writeFile(join(one, 'made', 'c.txt'), 'c');
  const sums = await sumsOf(one, await filesIn(join(one, 'made')));
  expect(sums.split('\n').map((line) => line.slice(66))).toEqual([
    'made/a/a.txt',
    'made/b.txt',
    'made/c.txt',
    '',
  ]);
});

test('a release of a checkout that moved while it was made is refused', () => {
  const source = { commit: 'a1', time: '2026-01-01T00:00:00Z', changes: '' };
  expect(() => requireUnmoved(source, { ...source })).not.toThrow();
  for (const moved of [{ commit: 'b2' }, { changes: ' M CHANGELOG.md' }])
    expect(() => requireUnmoved(source, { ...source, ...moved })).toThrow('was changed while');
});

test('a warning of npm about the package counts, one about the machine does not', () => {
  const output = [
    'npm warn Unknown user config "nodedir". This will stop working.',
    'npm warn publish This command requires you to be logged in to a registry (dry-run)',
    'npm notice name: quarry',
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
  ].join('\n');
  expect(warningsIn(output)).toEqual([
    'npm warn publish npm auto-corrected some errors in your package.json when publishing.',
  ]);
});

test('every platform of a release has a Node.js for its bundle', () => {
  expect(releasePlatforms).toHaveLength(5);
  for (const platform of releasePlatforms) expect(Object.keys(nodePackages)).toContain(platform);
});

test('frameworks and drivers that users bring are optional peers with a range that holds what is tested here', () => {
  const peers: Record<string, string> = manifest.peerDependencies;
  for (const name of [
    '@lancedb/lancedb',
    '@langchain/core',
    '@langchain/langgraph',
    '@llamaindex/core',
    'ai',
    'pg',
  ])
    expect(Object.keys(peers)).toContain(name);
  for (const [name, range] of Object.entries(peers)) {
    expect(manifest.peerDependenciesMeta[name]).toEqual({ optional: true });
    const [, min = '', below = ''] = /^>=(\S+) <(\S+)$/.exec(range) ?? [];
    expect(compareVersions(manifest.devDependencies[name], min)).toBeGreaterThanOrEqual(0);
    expect(compareVersions(manifest.devDependencies[name], below)).toBeLessThan(0);
  }
  expect(Object.keys(manifest.peerDependenciesMeta).sort()).toEqual(Object.keys(peers).sort());
  expect(withoutPeers(manifest)).not.toHaveProperty('peerDependencies');
});
