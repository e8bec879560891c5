// A project of any size, from the files of installed packages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SourceText } from '../source-files.ts';

/** Writes files of real packages, again and again with names of their own, until there are so many; returns their bytes. */
export function writeProject(root: string, all: readonly SourceText[], wanted: number): number {
  const step = Math.max(1, all.length / wanted);
  let bytes = 0;
  for (let count = 0; count < wanted; count += 1) {
    const { uri, text } = all[Math.floor(count * step) % all.length] as SourceText;
    const copy = Math.floor((count * step) / all.length);
    const path = join(root, `copy-${copy}`, uri.replaceAll('node_modules', 'nested'));
    mkdirSync(dirname(path), { recursive: true });
    const varied = copy === 0 ? text : text.replaceAll(/\b(index|value|name|data)\b/g, `$1${copy}`);
    writeFileSync(path, varied);
    bytes += varied.length;
  }
  return bytes;
}
