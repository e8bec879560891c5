import { z } from 'zod';
import type { Proof } from '../../../../platform/proof.ts';

/** One vector of the file as it was when a graph was made: its number, and a checksum of its components. */
const sample = z.strictObject({ number: z.number().int(), checksum: z.number().int() });

const stampSchema = z.strictObject({
  /** Of this layout; another one is not read. */
  version: z.literal(2),
  space: z.number().int(),
  dimensions: z.number().int().positive(),
  /** Vectors in the graph, those included that have left the file since. */
  count: z.number().int().nonnegative(),
  /** The highest number of a vector that was looked at: what comes after it is not in the graph. */
  lastVector: z.number().int().nonnegative(),
  /** Length and proof of the graph itself, in hexadecimal digits. */
  bytes: z.number().int().nonnegative(),
  proof: z.string(),
  samples: z.array(sample),
});

/** Says which vectors of which file a graph holds, so that a stale, foreign or damaged one is noticed. */
export type GraphStamp = z.infer<typeof stampSchema>;

// The end of a graph file: the stamp as JSON, its length, its proof, and a mark.
const mark = Buffer.from('QUARRYGR');
const proofBytes = 16;
const tailBytes = 4 + proofBytes + mark.length;

/** No stamp is longer; whatever claims to be is damage. */
export const maxStampLength = 65_536;

/** The bytes that follow the graph in its file. */
export function encodeStamp(stamp: GraphStamp, proof: Proof): Buffer {
  const json = Buffer.from(JSON.stringify(stamp));
  const tail = Buffer.alloc(tailBytes);
  tail.writeUInt32LE(json.length, 0);
  proof.of('stamp', [json]).copy(tail, 4);
  mark.copy(tail, 4 + proofBytes);
  return Buffer.concat([json, tail]);
}

/** The stamp at the end of these last bytes of a file of `fileBytes`; undefined where there is none that is whole and ours. */
export function decodeStamp(end: Buffer, fileBytes: number, proof: Proof): GraphStamp | undefined {
  const start = end.length - tailBytes;
  if (start < 0 || !end.subarray(start + 4 + proofBytes).equals(mark)) return undefined;
  const length = end.readUInt32LE(start);
  if (length > start) return undefined;
  const json = end.subarray(start - length, start);
  if (!proof.holds(end.subarray(start + 4, start + 4 + proofBytes), 'stamp', [json])) return undefined;
  const { data } = stampSchema.safeParse(JSON.parse(json.toString('utf8')));
  return data && data.bytes + length + tailBytes === fileBytes ? data : undefined;
}
