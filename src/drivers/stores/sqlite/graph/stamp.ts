import { crc32 } from 'node:zlib';
import { z } from 'zod';

/** One vector of the file as it was when a graph was made: its number, and a checksum of its components. */
const sample = z.strictObject({ number: z.number().int(), checksum: z.number().int() });

const stampSchema = z.strictObject({
  /** Of this layout; another one is not read. */
  version: z.literal(1),
  space: z.number().int(),
  dimensions: z.number().int().positive(),
  /** Vectors in the graph, those included that have left the file since. */
  count: z.number().int().nonnegative(),
  /** The highest number of a vector that was looked at: what comes after it is not in the graph. */
  lastVector: z.number().int().nonnegative(),
  /** Length and checksum of the graph itself. */
  bytes: z.number().int().nonnegative(),
  checksum: z.number().int(),
  samples: z.array(sample),
});

/** Says which vectors of which file a graph holds, so that a stale, foreign or damaged one is noticed. */
export type GraphStamp = z.infer<typeof stampSchema>;

// The end of a graph file: the stamp as JSON, its length, its checksum, and a mark.
const mark = Buffer.from('QUARRYGR');
const tailBytes = 8 + mark.length;

/** No stamp is longer; whatever claims to be is damage. */
export const longestStamp = 65_536;

/** The bytes that follow the graph in its file. */
export function encodeStamp(stamp: GraphStamp): Buffer {
  const json = Buffer.from(JSON.stringify(stamp));
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(json.length, 0);
  tail.writeUInt32LE(crc32(json), 4);
  mark.copy(tail, 8);
  return Buffer.concat([json, tail]);
}

/** The stamp at the end of these last bytes of a file of `fileBytes`; undefined where there is none that is whole. */
export function decodeStamp(end: Buffer, fileBytes: number): GraphStamp | undefined {
  const start = end.length - tailBytes;
  if (start < 0 || !end.subarray(start + 8).equals(mark)) return undefined;
  const length = end.readUInt32LE(start);
  if (length > start) return undefined;
  const json = end.subarray(start - length, start);
  // No stamp is empty, but the checksum of nothing is that of zeros.
  if (length === 0 || crc32(json) !== end.readUInt32LE(start + 4)) return undefined;
  const { data } = stampSchema.safeParse(JSON.parse(json.toString('utf8')));
  return data && data.bytes + length + tailBytes === fileBytes ? data : undefined;
}
