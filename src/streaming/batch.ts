import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { z } from 'zod';
import { messageOf } from '../core/errors.ts';
import { beyondLimit, brokenProtocol, type StreamLimits } from './protocol.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** A stretch of one file. */
export interface Piece {
  /** The number of the file in the manifest of this session. */
  readonly file: number;
  /** The byte that it begins with. */
  readonly from: number;
  readonly bytes: Uint8Array;
}

const headerSchema = z.object({
  batch: z.int().min(0),
  /** Number of the file, first byte, length. */
  pieces: z.array(z.tuple([z.int().min(0), z.int().min(0), z.int().min(0)])),
  gzip: z.boolean(),
  /** Of the payload as it travels. */
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
});

/** The bytes that say how long the header is. */
const prefixBytes = 4;
const maxHeaderLength = 256 * 1024;

/** One message: the length of the header, the header as JSON, and the contents one after another. */
export async function encodeBatch(
  batch: number,
  pieces: readonly Piece[],
  compress: boolean,
): Promise<Buffer> {
  const contents = Buffer.concat(pieces.map(({ bytes }) => bytes));
  const packed = compress ? await pack(contents, { level: 1 }) : contents;
  const isSmaller = packed.length < contents.length;
  const payload = isSmaller ? packed : contents;
  const header = Buffer.from(
    JSON.stringify({
      batch,
      pieces: pieces.map(({ file, from, bytes }) => [file, from, bytes.length]),
      gzip: isSmaller,
      sha256: createHash('sha256').update(payload).digest('hex'),
    } satisfies z.input<typeof headerSchema>),
  );
  const prefix = Buffer.alloc(prefixBytes);
  prefix.writeUInt32BE(header.length);
  return Buffer.concat([prefix, header, payload]);
}

/** A batch that has arrived; without pieces where its checksum is wrong, so that it has to be sent again. */
export interface Arrived {
  readonly batch: number;
  readonly pieces: readonly Piece[] | undefined;
}

/** Reads a batch. One that lies about its sizes, or unpacks to more than it may, is refused before it takes memory. */
export async function decodeBatch(message: Uint8Array, limits: StreamLimits): Promise<Arrived> {
  const { header, payload } = parts(Buffer.from(message.buffer, message.byteOffset, message.byteLength));
  const { batch, pieces } = header;
  if (pieces.length > limits.batchFiles) throw beyondLimit(`a batch has ${pieces.length} files`);
  const size = pieces.reduce((sum, [, , length]) => sum + length, 0);
  if (size > limits.batchBytes) throw beyondLimit(`a batch has ${size} bytes`);
  if (createHash('sha256').update(payload).digest('hex') !== header.sha256)
    return { batch, pieces: undefined };
  const contents = header.gzip ? await unpacked(payload, size) : payload;
  if (contents.length !== size)
    throw brokenProtocol(`a batch of ${contents.length} bytes says that it has ${size}`);
  let at = 0;
  return {
    batch,
    pieces: pieces.map(([file, from, length]) => {
      const bytes = contents.subarray(at, at + length);
      at += length;
      return { file, from, bytes };
    }),
  };
}

function parts(message: Buffer): { header: z.output<typeof headerSchema>; payload: Buffer } {
  if (message.length < prefixBytes) throw brokenProtocol('a batch has no header');
  const end = prefixBytes + message.readUInt32BE();
  if (end > message.length || end > maxHeaderLength)
    throw brokenProtocol('the header of a batch is too long');
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(message.subarray(prefixBytes, end));
    return { header: headerSchema.parse(JSON.parse(text)), payload: message.subarray(end) };
  } catch (cause) {
    throw brokenProtocol('the header of a batch is not understood', cause);
  }
}

async function unpacked(payload: Buffer, size: number): Promise<Buffer> {
  try {
    // One byte more than stated shows a lie; a bomb stops there.
    return await unpack(payload, { maxOutputLength: size + 1 });
  } catch (cause) {
    throw brokenProtocol(
      cause instanceof RangeError
        ? `a batch unpacks to more than the ${size} bytes it states`
        : messageOf(cause),
      cause,
    );
  }
}
