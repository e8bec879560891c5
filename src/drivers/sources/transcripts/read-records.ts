import type { FileHandle } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
// A named import of what an older Node.js lacks fails before it can be told that it is too old.
import zlib from 'node:zlib';
import { interrupted } from '../../../core/errors.ts';
import { systemCodeOf } from '../../../core/failures/machine-failure.ts';

/** Bytes that are read at once; other work has its turn between. */
const blockBytes = 2 ** 20;
/** A longer record is passed over: a picture, or a file that was pasted whole. */
const maxRecordBytes = 32 * 2 ** 20;
const newline = 10;

/** What is done with the records of a file. */
export interface RecordReader {
  take(record: unknown): void;
  /** A record that is no JSON, or too long. */
  broken(): void;
}

/**
 * Reads the records of a file of JSON lines from an offset on, and returns where the next one begins: what follows the last
 * line end is being written, and left for another time.
 */
export async function readRecords(
  handle: FileHandle,
  from: number,
  end: number,
  reader: RecordReader,
  signal?: AbortSignal,
): Promise<number> {
  const lines = createLines(reader);
  let next = from;
  for (let at = from; at < end; ) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const block = Buffer.allocUnsafe(Math.min(blockBytes, end - at));
    const { bytesRead } = await handle.read(block, 0, block.length, at);
    if (bytesRead === 0) break;
    const taken = lines.take(block.subarray(0, bytesRead));
    if (taken > 0) next = at + taken;
    at += bytesRead;
    await nextTurn();
  }
  return next;
}

/** Reads the records of a file that is packed with zstd, which nobody writes to any more; at most so many bytes of them. */
export async function readPackedRecords(
  handle: FileHandle,
  max: number,
  reader: RecordReader,
  signal?: AbortSignal,
): Promise<void> {
  const lines = createLines(reader);
  let bytes = 0;
  let isWhole = true;
  try {
    await pipeline(
      handle.createReadStream({ start: 0, autoClose: false }),
      zlib.createZstdDecompress(),
      async (unpacked: AsyncIterable<Buffer>) => {
        for await (const block of unpacked) {
          bytes += block.length;
          if (bytes > max) break;
          lines.take(block);
        }
      },
      { signal },
    );
  } catch (thrown) {
    if (signal?.aborted) throw interrupted(signal.reason);
    // Leaving the stream early ends it with an error too.
    if (bytes <= max && !systemCodeOf(thrown)?.startsWith('Z')) throw thrown;
    isWhole = false;
  }
  // Damaged, or left, from here on.
  if (!isWhole || bytes > max) reader.broken();
}

/** Takes the lines out of blocks of bytes. */
function createLines(reader: RecordReader) {
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isTooLong = false;
  const end = (line: Buffer): void => {
    if (isTooLong) reader.broken();
    else takeLine(Buffer.concat([...kept, line]), reader);
    kept = [];
    keptBytes = 0;
    isTooLong = false;
  };
  return {
    /** Returns where the part of the block begins that has no line end yet; 0 where all of it has none. */
    take(bytes: Buffer): number {
      let start = 0;
      for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
        end(bytes.subarray(start, stop));
        start = stop + 1;
      }
      keptBytes += bytes.length - start;
      if (keptBytes > maxRecordBytes) {
        isTooLong = true;
        kept = [];
      } else if (start < bytes.length) kept.push(bytes.subarray(start));
      return start;
    },
  };
}

function takeLine(line: Buffer, reader: RecordReader): void {
  if (line.length === 0 || (line.length < 4 && line.toString().trim() === '')) return;
  try {
    reader.take(JSON.parse(line.toString('utf8')));
  } catch {
    // A line that is torn or no JSON is counted and said with the session.
    reader.broken();
  }
}
