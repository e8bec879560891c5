import { execFile } from 'node:child_process';
import { mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { archiveFolder, filesIn, hashOf, sumsOf } from '../bundle/archive.ts';
import { packPackage } from '../bundle/make-bundle.ts';
import { releasesIn } from './changelog.ts';
import type { Carried } from './contents.ts';
import { makePlatformFiles } from './platform-files.ts';
import { provenance } from './provenance.ts';
import { npm } from './publish.ts';

const run = promisify(execFile);

/** The platforms that the inference runtime has binaries for. */
export const releasePlatforms: readonly string[] = [
  'linux-x64',
  'linux-arm64',
  'darwin-arm64',
  'win32-x64',
  'win32-arm64',
];

/** A release on the disk. */
export interface Release {
  readonly folder: string;
  /** What is published. */
  readonly tarball: string;
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** Builds, and fills the folder of a version with everything that is released. */
export async function makeRelease(
  root: string,
  platforms: readonly string[],
  tell: (line: string) => void,
): Promise<Release> {
  const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
  const folder = join(root, 'release', version);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const before = await sourceOf(root);
  tell(`builds ${version}`);
  const { code, output } = await npm(['run', '--silent', 'build'], root);
  if (code !== 0) throw new Error(`The build failed:\n${output}`);
  const packed = join(folder, `quarry-${version}.tgz`);
  const stage = join(folder, 'packed');
  await mkdir(stage);
  await repack(await packPackage(stage), packed);
  await rm(stage, { recursive: true });

  const { commit, time } = before;
  const lockFile = join(root, 'package-lock.json');
  const carried: Carried[] = [];
  for (const platform of platforms) {
    tell(`makes the files of ${platform}`);
    const [os = '', cpu = ''] = platform.split('-');
    const work = { platform: { os, cpu }, packed, destination: folder, lockFile, time };
    carried.push(...(await makePlatformFiles(work)));
  }
  const changelog = await readFile(join(root, 'CHANGELOG.md'), 'utf8');
  const notes = releasesIn(changelog).find((each) => each.version === version);
  await writeFile(join(folder, 'NOTES.md'), `# Quarry ${version}\n\n${notes?.text ?? ''}\n`);

  const listed = (await filesIn(folder)).filter((file) => !file.endsWith('.sha256'));
  const subjects = await Promise.all(
    listed.map(async (file) => ({ name: basename(file), sha256: await hashOf(file) })),
  );
  const tools = {
    node: process.version,
    npm: (await npm(['--version'], root)).output.trim().split('\n').at(-1) ?? '',
  };
  requireUnmoved(before, await sourceOf(root));
  const statement = provenance(
    { version, commit, isModified: before.changes !== '', tools },
    subjects,
    carried,
  );
  const statementFile = join(folder, `quarry-${version}.provenance.json`);
  await writeFile(statementFile, `${JSON.stringify(statement, null, 2)}\n`);
  await writeFile(join(folder, 'SHA256SUMS'), await sumsOf(folder, [...listed, statementFile].sort()));

  const files = await Promise.all(
    (await filesIn(folder)).map(async (file) => ({ name: basename(file), bytes: (await stat(file)).size })),
  );
  return { folder, tarball: packed, files };
}

/** npm keeps what the umask of this machine has made of the rights of files: they are packed again as in every archive. */
export async function repack(tarball: string, target: string): Promise<void> {
  const parent = dirname(tarball);
  await run('tar', ['-C', parent, '-xzf', tarball]);
  await archiveFolder(target, parent, 'package');
}

/** What a release is made from. */
export interface ReleaseSource {
  readonly commit: string;
  readonly time: string;
  /** What is not committed, as git lists it. */
  readonly changes: string;
}

async function sourceOf(root: string): Promise<ReleaseSource> {
  const [commit = '', time = ''] = (await git(root, 'log', '-1', '--format=%H %cI')).trim().split(' ');
  return { commit, time, changes: (await git(root, 'status', '--porcelain')).trim() };
}

/** Fails where another commit or a change came while the release was made: what it says of its source would be untrue. */
export function requireUnmoved(before: ReleaseSource, after: ReleaseSource): void {
  if (before.commit === after.commit && before.changes === after.changes) return;
  throw new Error('The checkout was changed while the release was made. Leave it alone and run it again.');
}

/** What git says. */
export async function git(root: string, ...words: string[]): Promise<string> {
  return (await run('git', words, { cwd: root })).stdout;
}
