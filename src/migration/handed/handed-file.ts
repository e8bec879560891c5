import { createHash, randomUUID } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { z } from 'zod';
import { asQuarryError, QuarryError } from '../../core/errors.ts';

/** The first line of every such file; the number is that of its format. */
const mark = 'quarry index ';
const format = 1;
/** Bytes of the description of a file. */
const maxHeader = 2 ** 16;
/** Bytes of what is said of one document. */
export const maxLine = 2 ** 25;
const gunzipped = 1100;

const count = z.int().min(0);
const headerSchema = z.strictObject({
  made_at: z.string().max(40),
  /** Names everything that decides the chunks of a file. */
  recipe: z.string().max(20_000),
  spaces: z
    .array(z.strictObject({ name: z.string().max(500), dimensions: z.int().min(1).max(100_000) }))
    .max(16),
  documents: count,
  chunks: count,
  /** Bytes of what follows, and of that unpacked. */
  bytes: count,
  unpacked: count,
  sha256: z.string().length(64),
  maker: z.string().max(200),
});

/** What a file says of itself. */
export type HandedHeader = z.output<typeof headerSchema>;

/** What can sign a file. */
export interface Signer {
  readonly publicKey: string;
  sign(bytes: Uint8Array): string;
}

/** Writes a file from lines, and signs it. Readers see no file or all of it. */
export async function writeHanded(
  path: string,
  lines: AsyncIterable<string>,
  about: () => Omit<HandedHeader, 'bytes' | 'unpacked' | 'sha256' | 'maker' | 'made_at'>,
  signer: Signer,
  signal: AbortSignal | undefined,
): Promise<HandedHeader> {
  const own = `${path}.${randomUUID().slice(0, 8)}.part`;
  const packed = `${own}.gz`;
  let unpacked = 0;
  const counted = async function* (): AsyncGenerator<Buffer> {
    for await (const line of lines) {
      const bytes = Buffer.from(`${line}\n`);
      unpacked += bytes.length;
      yield bytes;
    }
  };
  try {
    const write = createWriteStream(packed, { flags: 'wx', mode: 0o600 });
    await pipeline(Readable.from(counted()), createGzip({ level: 6 }), write, { signal });
    const header: HandedHeader = {
      ...about(),
      made_at: new Date().toISOString(),
      bytes: (await stat(packed)).size,
      unpacked,
      sha256: await hashOf(packed, signal),
      maker: signer.publicKey,
    };
    const text = `${mark}${format}\n${JSON.stringify(header)}\n`;
    const head = `${text}${signer.sign(Buffer.from(text))}\n`;
    const whole = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from(head);
      yield* createReadStream(packed);
    };
    await pipeline(whole, createWriteStream(own, { flags: 'wx', mode: 0o600 }), { signal });
    await rename(own, path);
    return header;
  } catch (thrown) {
    if (thrown instanceof QuarryError) throw thrown;
    const error = asQuarryError(thrown);
    if (error.code === 'interrupted') throw error;
    throw new QuarryError(
      'file-unreadable',
      `${path} cannot be written: ${error.message}.`,
      'Name another file.',
      {
        cause: thrown,
      },
    );
  } finally {
    await Promise.all([own, packed].map((file) => rm(file, { force: true })));
  }
}

/** A file that was checked: what it says, and its lines, from a copy that nobody else can change. */
export interface CheckedFile {
  readonly header: HandedHeader;
  lines(): AsyncGenerator<string>;
  close(): Promise<void>;
}

/**
 * Reads a file that somebody hands over. `admit` is asked with what it says of itself once the signature of that was
 * checked, before anything is unpacked; then all of it is compared with the hash that was signed.
 */
export async function openHanded(
  path: string,
  isSigned: (publicKey: string, bytes: Uint8Array, signature: string) => boolean,
  admit: (header: HandedHeader) => Promise<void>,
  signal: AbortSignal | undefined,
): Promise<CheckedFile> {
  // A device or a pipe may have no end, and opening one may wait for ever.
  const found = await stat(path).catch((cause: unknown) => {
    throw new QuarryError(
      'file-unreadable',
      `${path} cannot be read.`,
      'Name a file that quarry export made.',
      { cause },
    );
  });
  if (!found.isFile()) throw notOurs(path);
  const folder = await mkdtemp(join(tmpdir(), 'quarry-import-'));
  const close = (): Promise<void> => rm(folder, { recursive: true, force: true });
  const file = await open(path, 'r').catch(async (thrown: unknown) => {
    await close();
    throw thrown;
  });
  try {
    const { header, start } = await headerOf(path, file, isSigned);
    await admit(header);
    const { size } = await file.stat();
    if (size !== start + header.bytes) throw notWhole(path);
    const copy = join(folder, 'index');
    const hash = createHash('sha256');
    let bytes = 0;
    const hashed = async function* (): AsyncGenerator<Buffer> {
      const stream = file.createReadStream({ start, end: start + header.bytes, autoClose: false });
      for await (const part of stream as AsyncIterable<Buffer>) {
        bytes += part.length;
        // It may grow while it is read.
        if (bytes > header.bytes) throw notWhole(path);
        hash.update(part);
        yield part;
      }
    };
    await pipeline(hashed, createWriteStream(copy, { flags: 'wx', mode: 0o600 }), { signal });
    if (bytes !== header.bytes || hash.digest('hex') !== header.sha256) throw notWhole(path);
    return { header, lines: () => linesOf(path, copy, header), close };
  } catch (thrown) {
    await close();
    throw thrown;
  } finally {
    await file.close();
  }
}

async function headerOf(
  path: string,
  file: Awaited<ReturnType<typeof open>>,
  isSigned: (publicKey: string, bytes: Uint8Array, signature: string) => boolean,
): Promise<{ readonly header: HandedHeader; readonly start: number }> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(maxHeader), 0, maxHeader, 0);
  const [first = '', second, signature] = buffer.subarray(0, bytesRead).toString('latin1').split('\n', 3);
  if (!first.startsWith(mark)) throw notOurs(path);
  const made = Number(first.slice(mark.length));
  if (made > format)
    throw new QuarryError(
      'store-too-new',
      `${path} was written by a newer Quarry.`,
      'Update Quarry, or have the file made by this version.',
    );
  if (made !== format || second === undefined || signature === undefined) throw notOurs(path);
  const head = Buffer.from(`${first}\n${second}\n`, 'latin1');
  const start = head.length + signature.length + 1;
  let parsed: HandedHeader;
  try {
    parsed = headerSchema.parse(JSON.parse(head.toString('utf8').slice(first.length + 1)));
  } catch {
    // What is wrong with it is of no use to a reader that has only the file.
    throw notWhole(path);
  }
  if (!isSigned(parsed.maker, head, signature)) throw notWhole(path);
  return { header: parsed, start };
}

/** Lines of the unpacked copy, none longer and not more than was signed. */
async function* linesOf(
  path: string,
  copy: string,
  { unpacked, bytes }: HandedHeader,
): AsyncGenerator<string> {
  if (unpacked > bytes * gunzipped) throw notWhole(path);
  let rest: Buffer[] = [];
  let waiting = 0;
  let seen = 0;
  const gunzip = createGunzip();
  const source = createReadStream(copy);
  source.on('error', (error) => gunzip.destroy(error));
  source.pipe(gunzip);
  try {
    for await (const part of gunzip as AsyncIterable<Buffer>) {
      seen += part.length;
      if (seen > unpacked) throw notWhole(path);
      let from = 0;
      for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, from)) {
        yield Buffer.concat([...rest, part.subarray(from, at)]).toString('utf8');
        rest = [];
        waiting = 0;
        from = at + 1;
      }
      if (from < part.length) rest.push(part.subarray(from));
      waiting += part.length - from;
      if (waiting > maxLine) throw notWhole(path);
    }
  } catch (thrown) {
    throw thrown instanceof QuarryError ? thrown : notWhole(path, thrown);
  } finally {
    source.destroy();
    gunzip.destroy();
  }
  if (seen !== unpacked || waiting > 0) throw notWhole(path);
}

async function hashOf(path: string, signal: AbortSignal | undefined): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { signal }) as AsyncIterable<Buffer>) hash.update(part);
  return hash.digest('hex');
}

function notOurs(path: string): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${path} is not a file that quarry export made.`,
    'Name a file that quarry export made.',
  );
}

/** The error for a file that is not as its maker left it. */
export function notWhole(path: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'store-foreign',
    `${path} is cut off, damaged, or was changed after it was signed.`,
    'Fetch it again, or have it made again: quarry export FILE',
    { cause },
  );
}
