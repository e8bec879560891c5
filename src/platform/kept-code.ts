import { readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { join, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { Script } from 'node:vm';
import { crc32 } from 'node:zlib';

/** Runs of one command that add to what is kept, and of all commands together. */
const enough = { ofCommand: 2, inAll: 16 };
/** Days after which code of a build that is perhaps gone is removed. */
const keptDays = 30;
/** Bytes before the names of commands: two checksums. */
const headerBytes = 8;

/** Where compiled code is kept, and which command this process runs. */
interface Keeping {
  readonly folder: string;
  readonly command: string;
}

/** Compiled code as it lies on disk. */
interface KeptCode {
  /** The commands that ran with it before it was kept, one name for each run. */
  readonly commands: readonly string[];
  readonly data: Buffer;
}

/** A part of the program that this process has loaded. */
interface LoadedCode {
  readonly path: string;
  readonly sum: number;
  readonly script: Script;
  readonly commands: readonly string[];
}

let keeping: Keeping | undefined;
const loaded: LoadedCode[] = [];

/**
 * From now on compiled code is read from this folder of the user's own, and kept there when the process ends. The cache of Node.js
 * has what was compiled when a module was loaded; a function is compiled when it first runs, in each process again.
 */
export function keepCodeIn(folder: string, command: string): void {
  keeping = { folder, command };
  process.once('exit', keepCode);
}

/** Runs the code of a part of the program, which a build has put beside it: a function from what it imports to what it exports. */
export function loadCode(part: string): (...imported: unknown[]) => readonly unknown[] {
  const file = fileURLToPath(part).replace(/\.js$/, '.cjs');
  const source = readFileSync(file, 'latin1');
  // Node.js reads the source maps of modules alone.
  if (process.sourceMapsEnabled) return asModule(file, source);
  if (!keeping) return new Script(source, { filename: file }).runInThisContext();
  const path = join(keeping.folder, `${parse(file).name}-${cachedDataVersionTag().toString(36)}.code`);
  const sum = crc32(source);
  const kept = readKept(path, sum);
  const script = new Script(source, { filename: file, ...(kept && { cachedData: kept.data }) });
  const isTaken = kept && script.cachedDataRejected === false;
  loaded.push({ path, sum, script, commands: isTaken ? kept.commands : [] });
  return script.runInThisContext();
}

/** Writes down what is compiled so far, where that is more than was kept. A process that is killed does not get to it by itself. */
export function keepCode(): void {
  if (!keeping) return;
  const { folder, command } = keeping;
  const tag = cachedDataVersionTag().toString(36);
  for (const { path, sum, script, commands } of loaded.splice(0)) {
    const runs = commands.filter((name) => name === command).length;
    // Flags that were changed meanwhile would make it unusable.
    if (runs >= enough.ofCommand || commands.length >= enough.inAll || !path.endsWith(`-${tag}.code`))
      continue;
    try {
      writeKept(path, sum, { commands: [...commands, command], data: script.createCachedData() });
      removeOld(folder);
    } catch {
      // Without it a command only starts slower.
    }
  }
}

/** What is kept of this source; undefined where that is nothing, or was not written to its end. */
function readKept(path: string, sum: number): KeptCode | undefined {
  try {
    const bytes = readFileSync(path);
    const end = bytes.indexOf('\n', headerBytes);
    if (bytes.readUInt32LE(0) !== crc32(bytes.subarray(4)) || bytes.readUInt32LE(4) !== sum) return undefined;
    return {
      commands: bytes.toString('latin1', headerBytes, end).split(' '),
      data: bytes.subarray(end + 1),
    };
  } catch {
    // What is not there, or cannot be read, is compiled again.
    return undefined;
  }
}

/** Readers see the old file or the new one, never half. */
function writeKept(path: string, sum: number, { commands, data }: KeptCode): void {
  const bytes = Buffer.concat([Buffer.alloc(headerBytes), Buffer.from(`${commands.join(' ')}\n`), data]);
  bytes.writeUInt32LE(sum, 4);
  bytes.writeUInt32LE(crc32(bytes.subarray(4)), 0);
  const staging = `${path}.${process.pid}`;
  writeFileSync(staging, bytes, { mode: 0o600 });
  renameSync(staging, path);
}

function removeOld(folder: string): void {
  const since = Date.now() - keptDays * 24 * 60 * 60 * 1000;
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    if (/\.code(\.\d+)?$/.test(name) && statSync(path).mtimeMs < since) rmSync(path, { force: true });
  }
}

/** The same as a module, for `node --enable-source-maps`. */
function asModule(file: string, source: string): (...imported: unknown[]) => readonly unknown[] {
  const module = new Module(file) as Module & { _compile(text: string, file: string): void };
  module.require = createRequire(file);
  module._compile(`module.exports = ${source}`, file);
  return module.exports;
}
