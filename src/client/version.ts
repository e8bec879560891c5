import { readFileSync } from 'node:fs';
import { packagePath } from '../platform/package-folder.ts';

/** The version of this program. */
export function programVersion(): string {
  return (JSON.parse(readFileSync(packagePath('package.json'), 'utf8')) as { version: string }).version;
}
