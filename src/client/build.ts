import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { variablesWithPrefix } from '../platform/environment.ts';
import { programFile } from '../platform/package-folder.ts';
import { programVersion } from './version.ts';

/** Names this installation of the program: another version, another place or a new build is another one. */
export function programBuild(): string {
  const { mtimeMs } = statSync(programFile());
  return hashOf([programVersion(), programFile(), String(mtimeMs), process.versions.node]);
}

/** Variables that change what a command does. A server that was started with others would answer otherwise. */
const telling = [
  /^QUARRY_/,
  /^AGENTOS_/,
  /_API_KEY$/,
  /^(HTTPS?|NO|ALL)_PROXY$/i,
  /^HF_/,
  /^(HOME|XDG_[A-Z]+_HOME|LOCALAPPDATA|APPDATA|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS|NODE_OPTIONS|TZ)$/,
];

/** Names the environment of this process, as far as it decides about results. */
export function environmentName(read: (name: string) => string | undefined): string {
  const names = variablesWithPrefix('').filter((name) => telling.some((pattern) => pattern.test(name)));
  return hashOf(names.sort().flatMap((name) => [name, read(name) ?? '']));
}

function hashOf(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 16);
}
