import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RootTrouble } from '../../../contracts/source.ts';
import type { SkippedPath } from '../../../core/events.ts';
import { createLocalSource } from './local-source.ts';
import type { LocalSourceOptions } from './local-source-options.ts';

/** A temporary folder with these files, removed when the test ends. */
export function scratchTree(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quarry-source-')));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeTree(folder, files);
  return folder;
}

/** Writes files, with their folders, below a folder. */
export function writeTree(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

/** What one walk found. */
export interface Walked {
  readonly files: string[];
  readonly skipped: SkippedPath[];
  /** Roots that could not be read, or that are empty. */
  readonly troubles: RootTrouble[];
  /** The reports as `uri reason rule`, for short expectations. */
  readonly reports: string[];
}

/** Walks a folder to the end with plain settings, which `options` overrides. */
export async function walk(root: string, options: Partial<LocalSourceOptions> = {}): Promise<Walked> {
  const files: string[] = [];
  const skipped: SkippedPath[] = [];
  const troubles: RootTrouble[] = [];
  for await (const entry of localSource(root, options).scan()) {
    if (entry.kind === 'file') files.push(entry.file.uri);
    else {
      skipped.push(entry.skipped);
      if (entry.trouble) troubles.push(entry.trouble);
    }
  }
  const reports = skipped.map(({ uri, reason, rule }) => `${uri} ${reason} ${rule}`);
  return { files, skipped, troubles, reports };
}

/** A source over a folder with plain settings, which `options` overrides. */
export function localSource(root: string, options: Partial<LocalSourceOptions> = {}) {
  return createLocalSource({
    root,
    include: [],
    exclude: [],
    maxFileBytes: () => 1_000_000,
    useGitignore: true,
    ...options,
  });
}
