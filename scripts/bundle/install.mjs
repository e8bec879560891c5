// Installs, upgrades or removes Quarry from an unpacked bundle. It runs on the bundle's own Node.js and needs no network.
import { createHash } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const bundle = dirname(fileURLToPath(import.meta.url));
const onWindows = process.platform === 'win32';
const usage = `Usage: install [--prefix FOLDER] [--remove]
  --prefix FOLDER  where to install (default: ${defaultPrefix()})
  --remove         remove what was installed there; indexes, settings and caches stay`;

try {
  const { values } = parseArgs({
    options: { prefix: { type: 'string' }, remove: { type: 'boolean' }, help: { type: 'boolean' } },
  });
  const prefix = resolve(values.prefix ?? defaultPrefix());
  if (values.help) console.log(usage);
  else if (values.remove) removeFrom(prefix);
  else await installTo(prefix);
} catch (error) {
  console.error(`install: ${error instanceof Error ? error.message : error}\n${usage}`);
  process.exitCode = 1;
}

function defaultPrefix() {
  if (onWindows) return join(process.env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'Quarry');
  return join(homedir(), '.local');
}

/** Each version has a folder of its own; the commands lead to the newest, and previous versions are removed last. */
async function installTo(prefix) {
  await verify();
  const { version } = JSON.parse(readFileSync(join(bundle, 'package', 'package.json'), 'utf8'));
  const home = join(prefix, 'lib', 'quarry');
  const target = join(home, version);
  const staging = `${target}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  for (const name of ['node', 'package', 'SHA256SUMS'])
    cpSync(join(bundle, name), join(staging, name), { recursive: true });
  rmSync(target, { recursive: true, force: true });
  renameSync(staging, target);
  mkdirSync(join(prefix, 'bin'), { recursive: true });
  for (const [name, program] of commands()) writeCommand(join(prefix, 'bin', name), target, program);
  for (const name of readdirSync(home))
    if (name !== version) rmSync(join(home, name), { recursive: true, force: true });
  console.log(`Quarry ${version} is installed in ${target}.`);
  console.log(`Start it with: ${join(prefix, 'bin', onWindows ? 'quarry.cmd' : 'quarry')} --help`);
}

function removeFrom(prefix) {
  const home = join(prefix, 'lib', 'quarry');
  if (!existsSync(home)) throw new Error(`nothing is installed in ${prefix}`);
  for (const [name] of commands())
    rmSync(join(prefix, 'bin', onWindows ? `${name}.cmd` : name), { force: true });
  rmSync(home, { recursive: true, force: true });
  console.log(
    `Quarry is removed from ${prefix}. Indexes (.quarry), added content (.quarry-added) and settings stay.`,
  );
}

/** The commands of the package, with their files. */
function commands() {
  return Object.entries(JSON.parse(readFileSync(join(bundle, 'package', 'package.json'), 'utf8')).bin);
}

/** Written apart and moved into place: a command that is started meanwhile is the previous or the new one. */
function writeCommand(path, target, program) {
  const file = join(target, 'package', program);
  const node = join(target, 'node', 'bin', onWindows ? 'node.exe' : 'node');
  const text = onWindows
    ? `@"${node}" "${file}" %*\r\n`
    : `#!/bin/sh\nexec ${quoted(node)} ${quoted(file)} "$@"\n`;
  const name = onWindows ? `${path}.cmd` : path;
  writeFileSync(`${name}.new`, text);
  if (!onWindows) chmodSync(`${name}.new`, 0o755);
  renameSync(`${name}.new`, name);
}

function quoted(path) {
  return `'${path.replaceAll("'", "'\\''")}'`;
}

/** Every file must have the hash that was noted when the bundle was made, and none may be missing. */
async function verify() {
  const lines = readFileSync(join(bundle, 'SHA256SUMS'), 'utf8').trim().split('\n');
  for (const line of lines) {
    const [, expected, path] = /^([0-9a-f]{64}) {2}(.+)$/.exec(line) ?? [];
    if (!path) throw new Error('SHA256SUMS is damaged; unpack the archive again');
    const hash = createHash('sha256');
    await pipeline(createReadStream(join(bundle, path)), hash).catch(() => {
      throw new Error(`${path} is missing or cannot be read; unpack the archive again`);
    });
    if (hash.digest('hex') !== expected)
      throw new Error(`${path} is damaged; get the archive again, and compare it with its .sha256 file`);
  }
}
