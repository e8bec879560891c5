import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { variablesWithPrefix } from '../platform/environment.ts';
import { builtFile, packagePath } from '../platform/package-folder.ts';
import { programVersion } from './version.ts';

/** The file of a build that holds the hash of its content. */
export const contentFile = 'content-hash';

/** Names the program by what it is, wherever it lies and whenever it was put there. */
export function programBuild(): string {
  const file = builtFile(contentFile);
  const content = file && existsSync(file) ? readFileSync(file, 'utf8') : contentHash(file ? 'dist' : 'src');
  return hashOf([programVersion(), content, process.versions.node]);
}

/** What is in a build and has no part in what it does. */
const isNoProgram =
  /(\.map|\.d\.ts|\.test\.ts|\.fixture\.ts|BUNDLED-LICENSES\.txt|content-hash|source-hash)$/;

/** The hash of all that the program is made of, below a folder of the package. */
export function contentHash(folder: string): string {
  const root = packagePath(folder);
  const files = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !isNoProgram.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length).split(sep).join('/'))
    .sort();
  const hash = createHash('sha256');
  for (const file of files) {
    const content = readFileSync(join(root, file));
    hash.update(`${file}\n${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** Variables that change what a command does. A server that was started with others would answer otherwise. */
const decisiveVariables = [
  // A token is for a server elsewhere.
  /^QUARRY_(?!TOKEN$)/,
  /^AGENTOS_/,
  /_API_KEY$/,
  /^(HTTPS?|NO|ALL)_PROXY$/i,
  /^HF_/,
  /^(HOME|XDG_[A-Z]+_HOME|LOCALAPPDATA|APPDATA|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|TZ)$/,
];

/** Names the environment of this process, as far as it decides about results. */
export function environmentName(read: (name: string) => string | undefined): string {
  const names = variablesWithPrefix('').filter((name) =>
    decisiveVariables.some((pattern) => pattern.test(name)),
  );
  return hashOf(names.sort().flatMap((name) => [name, read(name) ?? '']));
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
