import { QuarryError } from '../core/errors.ts';
import { ByteReader } from './byte-reader.ts';

/** One member of a tar archive, while it passes by. */
export interface TarEntry {
  readonly path: string;
  /** Whether it is a plain file; folders, links and devices are not. */
  readonly isFile: boolean;
  readonly bytes: number;
  /** The content; what is not read is skipped when the next entry is asked for. */
  content(): AsyncIterable<Uint8Array>;
}

const blockBytes = 512;
/** Long names travel as content; one beyond this is no name. */
const maxHeaderBytes = 2 ** 20;

const typeOfFile = '0';
const typeOfOldFile = '\0';
const typeOfPaxHeader = 'x';
const typeOfGlobalPaxHeader = 'g';
const typeOfLongName = 'L';
const typeOfLongLink = 'K';

/**
 * The entries of a tar archive in their order, read as a stream: ustar, pax headers and GNU long names. Rejects with
 * `model-not-found` where the stream is no tar archive or ends too early.
 */
export async function* tarEntries(stream: AsyncIterable<Uint8Array>): AsyncGenerator<TarEntry, void, void> {
  const reader = new ByteReader(stream);
  try {
    let attributes = new Map<string, string>();
    for (;;) {
      const block = await reader.takeOrEnd(blockBytes);
      if (!block || block.every((byte) => byte === 0)) return;
      const header = parseHeader(block);
      const bytes = sizeOf(header, attributes);
      if (isExtension(header.type)) {
        await readExtension(reader, header.type, bytes, attributes);
      } else {
        const path = attributes.get('path') ?? header.path;
        attributes = new Map();
        yield* oneEntry(reader, path, header.type, bytes);
      }
      await reader.skip(paddingAfter(bytes));
    }
  } finally {
    await reader.close();
  }
}

/** Takes in what the headers before an entry say of it. */
async function readExtension(
  reader: ByteReader,
  type: string,
  bytes: number,
  attributes: Map<string, string>,
): Promise<void> {
  if (type === typeOfPaxHeader) {
    for (const [key, value] of parsePax(await takeHeader(reader, bytes))) attributes.set(key, value);
  } else if (type === typeOfLongName) {
    attributes.set('path', textOf(await takeHeader(reader, bytes)));
  } else {
    await reader.skip(bytes);
  }
}

async function* oneEntry(
  reader: ByteReader,
  path: string,
  type: string,
  bytes: number,
): AsyncGenerator<TarEntry, void, void> {
  const after = reader.position + bytes;
  // Some archivers mark a folder only by the slash at the end of its name.
  const isFile = (type === typeOfFile || type === typeOfOldFile) && !path.endsWith('/');
  yield { path, isFile, bytes, content: () => reader.stream(after - reader.position) };
  await reader.skip(after - reader.position);
}

interface Header {
  readonly path: string;
  readonly type: string;
  readonly bytes: number;
}

function parseHeader(block: Uint8Array): Header {
  const field = (start: number, length: number) => block.subarray(start, start + length);
  const sum = block.reduce((total, byte, at) => total + (at >= 148 && at < 156 ? 32 : byte), 0);
  if (sum !== numberIn(field(148, 8))) throw notTar('a header has a wrong checksum');
  const name = textOf(field(0, 100));
  const isUstar = textOf(field(257, 6)).startsWith('ustar');
  const prefix = isUstar ? textOf(field(345, 155)) : '';
  return {
    path: prefix ? `${prefix}/${name}` : name,
    type: String.fromCharCode(block[156] ?? 0),
    bytes: numberIn(field(124, 12)),
  };
}

/** The size of the next content; a pax header may state what the plain header has no room for. */
function sizeOf({ bytes, type }: Header, attributes: ReadonlyMap<string, string>): number {
  const stated = isExtension(type) ? undefined : attributes.get('size');
  const size = stated === undefined ? bytes : /^\d{1,15}$/.test(stated) ? Number(stated) : Number.NaN;
  if (!Number.isSafeInteger(size) || size < 0) throw notTar('an entry has no proper size');
  return size;
}

/** Whether a header describes the entry after it instead of being one. */
function isExtension(type: string): boolean {
  return [typeOfPaxHeader, typeOfGlobalPaxHeader, typeOfLongName, typeOfLongLink].includes(type);
}

/** A number of the header: octal digits, or binary where its first bit is set. */
function numberIn(field: Uint8Array): number {
  if (((field[0] ?? 0) & 0x80) !== 0) {
    return field.reduce((value, byte, at) => value * 256 + (at === 0 ? byte & 0x7f : byte), 0);
  }
  const digits = textOf(field).trim();
  if (!/^[0-7]*$/.test(digits)) throw notTar('a header has no proper number');
  return digits === '' ? 0 : Number.parseInt(digits, 8);
}

async function takeHeader(reader: ByteReader, bytes: number): Promise<Uint8Array> {
  if (bytes > maxHeaderBytes) throw notTar('a header is too long');
  return reader.take(bytes);
}

/** Records of the form `LENGTH KEY=VALUE\n`, where the length counts the whole record in bytes. */
function parsePax(content: Uint8Array): Map<string, string> {
  const records = new Map<string, string>();
  let at = 0;
  while (at < content.length && content[at] !== 0) {
    const space = content.indexOf(32, at);
    const length = Number(textOf(content.subarray(at, Math.max(at, space))));
    const end = at + length;
    // The length covers at least its own digits and the space, so that each record leads further.
    if (space <= at || !Number.isInteger(length) || end <= space || end > content.length) {
      throw notTar('a pax header is broken');
    }
    const record = textOf(content.subarray(space + 1, end - 1));
    const equals = record.indexOf('=');
    if (equals > 0) records.set(record.slice(0, equals), record.slice(equals + 1));
    at = end;
  }
  return records;
}

/** Text up to the first NUL. */
function textOf(bytes: Uint8Array): string {
  const end = bytes.indexOf(0);
  return Buffer.from(end < 0 ? bytes : bytes.subarray(0, end)).toString('utf8');
}

function paddingAfter(bytes: number): number {
  return (blockBytes - (bytes % blockBytes)) % blockBytes;
}

function notTar(reason: string): QuarryError {
  return new QuarryError(
    'model-not-found',
    `The archive cannot be read: ${reason}.`,
    'Fetch the archive again; do not use the file.',
  );
}
