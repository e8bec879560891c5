import type { FileHandle } from 'node:fs/promises';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { interrupted } from '../../../core/errors.ts';

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
  let kept: Buffer[] = [];
  let keptBytes = 0;
  let isTooLong = false;
  let next = from;
  const take = (line: Buffer): void => {
    if (isTooLong) reader.broken();
    else takeLine(Buffer.concat([...kept, line]), reader);
    kept = [];
    keptBytes = 0;
    isTooLong = false;
  };
  for (let at = from; at < end; ) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const block = Buffer.allocUnsafe(Math.min(blockBytes, end - at));
    const { bytesRead } = await handle.read(block, 0, block.length, at);
    if (bytesRead === 0) break;
    const bytes = block.subarray(0, bytesRead);
    let start = 0;
    for (let stop = bytes.indexOf(newline); stop >= 0; stop = bytes.indexOf(newline, start)) {
      take(bytes.subarray(start, stop));
      start = stop + 1;
      next = at + start;
    }
    keptBytes += bytesRead - start;
    if (keptBytes > maxRecordBytes) {
      isTooLong = true;
      kept = [];
    } else if (start < bytesRead) kept.push(bytes.subarray(start));
    at += bytesRead;
    await nextTurn();
  }
  return next;
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
