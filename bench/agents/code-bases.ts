import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { QuarryError } from '../../src/core/errors.ts';

const execute = promisify(execFile);

/** The code bases that questions are about. */
export const codeNames = ['quarry', 'dircproxy', 'dhcpy6d'] as const;
export type CodeName = (typeof codeNames)[number];

/** Where the text of a code base comes from, always the same one. */
export type CodeSource =
  | { readonly kind: 'commit'; readonly commit: string }
  | { readonly kind: 'package'; readonly version: string };

/** The project itself stands before its questions were written, so that no file of it has the answers. */
export const codeSources: Readonly<Record<CodeName, CodeSource>> = {
  quarry: { kind: 'commit', commit: '90c15d58c5cd2a83b272125a9c92ccc0cdf3d21e' },
  dircproxy: { kind: 'package', version: '1.0.5-6.1' },
  dhcpy6d: { kind: 'package', version: '1.2.3-1' },
};

/** What each is, for a prompt. */
export const descriptions: Readonly<Record<CodeName, string>> = {
  quarry: 'a search engine for local files, in TypeScript',
  dircproxy: 'a proxy server for IRC, in C',
  dhcpy6d: 'a DHCP server for IPv6, in Python',
};

export const repository = join(import.meta.dirname, '..', '..');

/** Large files of the project in which there is nothing to read. */
const leftOut = ['models', 'native'];

/** An archive of a code base in this folder, fetched as git and apt of this machine are set up. */
export async function fetchArchive(name: CodeName, folder: string): Promise<string> {
  await mkdir(folder, { recursive: true });
  const source = codeSources[name];
  return source.kind === 'commit'
    ? fetchCommit(source.commit, join(folder, `${name}.tar`))
    : fetchPackage(name, source.version, folder);
}

/** Unpacks an archive into a folder of its own; packages have all in one folder, which is left off. */
export async function unpack(name: CodeName, archive: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const strip = codeSources[name].kind === 'package' ? ['--strip-components=1'] : [];
  await execute('tar', ['-xf', archive, '-C', folder, ...strip]);
}

async function fetchCommit(commit: string, archive: string): Promise<string> {
  const paths = ['.', ...leftOut.map((path) => `:(exclude)${path}`)];
  try {
    await execute('git', ['archive', '--format=tar', '-o', archive, commit, '--', ...paths], {
      cwd: repository,
    });
  } catch (cause) {
    throw new QuarryError(
      'file-unreadable',
      `The commit ${commit} of this project is not there.`,
      'Fetch the whole history of the project: git fetch --unshallow',
      { cause },
    );
  }
  return archive;
}

/** The archive of the authors, without what Debian changes: that is all that the questions are about. */
async function fetchPackage(name: string, version: string, folder: string): Promise<string> {
  const isArchive = (file: string) => file.startsWith(`${name}_`) && /\.orig\.tar\.\w+$/.test(file);
  const present = (await readdir(folder)).find(isArchive);
  if (present) return join(folder, present);
  const options = await sourceLists(join(folder, 'apt'));
  try {
    // Another list of the machine may have no sources: what matters is whether the package is found.
    await execute('apt-get', [...options, 'update']).catch(() => undefined);
    await execute(
      'apt-get',
      [...options, 'source', '--only-source', '--download-only', '--tar-only', `${name}=${version}`],
      { cwd: folder },
    );
    const fetched = (await readdir(folder)).find(isArchive);
    if (fetched) return join(folder, fetched);
    throw new QuarryError('file-unreadable', `apt-get left no archive of ${name}.`, 'Run it again.');
  } catch (cause) {
    throw new QuarryError(
      'provider-unreachable',
      `The source package ${name} ${version} could not be fetched.`,
      `Put its ${name}_….orig.tar archive into ${folder}, and run it again.`,
      { cause },
    );
  }
}

/** Options with which apt knows the sources of what the machine is set up for; nothing of the machine is changed. */
async function sourceLists(folder: string): Promise<string[]> {
  for (const part of ['parts', 'lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, part), { recursive: true });
  const configured = '/etc/apt/sources.list.d';
  const names = await readdir(configured).catch(() => []);
  const files = ['/etc/apt/sources.list', ...names.map((name) => join(configured, name))];
  for (const [at, file] of files.entries()) {
    const ending = /\.(list|sources)$/.exec(file)?.[0];
    const text = ending && (await readFile(file, 'utf8').catch(() => ''));
    if (text) await writeFile(join(folder, 'parts', `source-${at}${ending}`), ofSources(text));
  }
  const own = {
    'Dir::Etc::sourcelist': '/dev/null',
    'Dir::Etc::sourceparts': join(folder, 'parts'),
    'Dir::State::lists': join(folder, 'lists'),
    'Dir::Cache': join(folder, 'cache'),
  };
  return Object.entries(own).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
}

function ofSources(text: string): string {
  return text.replace(/^Types:.*$/gm, 'Types: deb-src').replace(/^deb\s/gm, 'deb-src ');
}
