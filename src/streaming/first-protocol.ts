import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { z } from 'zod';
import { messageOf } from '../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../core/failures/first-issue.ts';
import { boundJson } from '../platform/json-bounds.ts';
import { beyondLimit, brokenProtocol, pathSchema, type StreamLimits } from './protocol.ts';

// The first protocol, which states no version: START with the id of a project, BATCH with whole files as JSON, COMPLETE. It is
// answered with ACK or NACK for each, and with the final stats.

const unpack = promisify(gunzip);

const named = z.string().min(1).max(64);
const startSchema = z
  .object({
    type: z.literal('start'),
    protocol: z.literal(0).optional(),
    project_id: named.optional(),
    project: named.optional(),
    client: z.string().max(200).default('a client of the first protocol'),
  })
  .refine(({ project, project_id }) => project !== undefined || project_id !== undefined);

/** Who starts to speak the first protocol. */
export interface FirstStart {
  readonly project: string;
  readonly client: string;
}

/** The start of a client that speaks the first protocol; undefined for every other text. */
export function readFirstStart(text: string): FirstStart | undefined {
  try {
    const { project_id = '', project = project_id, client } = startSchema.parse(lowered(JSON.parse(text)));
    return { project, client };
  } catch {
    // Whatever it is instead, the reader of today's protocol says what is wrong with it.
    return undefined;
  }
}

const fileSchema = z.object({
  path: pathSchema,
  content: z.string(),
  encoding: z.enum(['utf-8', 'utf8', 'base64']).default('utf-8'),
  /** MD5, SHA-1 or SHA-256 of the content in hex. */
  checksum: z
    .string()
    .regex(/^([0-9a-f]{32}|[0-9a-f]{40}|[0-9a-f]{64})$/i, 'is no MD5, SHA-1 or SHA-256 in hex')
    .optional(),
  /** Time of the last change, in seconds since 1970. */
  mtime: z.number().min(0).max(8.64e12).optional(),
});
const filesSchema = z.array(fileSchema);
const messageSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('batch'),
    batch_id: z.union([z.string().max(100), z.number()]).optional(),
    files: filesSchema.optional(),
    /** The list of files as JSON in base64, which may be packed by gzip. */
    data: z.base64().optional(),
    compressed: z.boolean().default(false),
  }),
  z.object({ type: z.literal('complete'), total_files: z.int().min(0).optional() }),
]);

/** A file as it has come, whole. */
export interface WholeFile {
  readonly path: string;
  readonly bytes: Buffer;
  /** Milliseconds since 1970, where the client says it. */
  readonly modifiedAt?: number;
}

/** What a client of the first protocol says after its start. */
export type FirstMessage =
  | {
      readonly type: 'batch';
      readonly batchId: string | number | undefined;
      /** Paths whose contents do not have their checksums: the batch has to be sent again. */
      readonly damaged: readonly string[];
      readonly files: readonly WholeFile[];
    }
  | { readonly type: 'complete'; readonly files: number | undefined };

/** Reads a message, which may be packed by gzip as a whole. What it unpacks to is bounded like what may come unpacked. */
export async function readFirstMessage(message: Uint8Array, limits: StreamLimits): Promise<FirstMessage> {
  const said = parsed(messageSchema, lowered(await jsonIn(message, limits)));
  if (said.type === 'complete') return { type: 'complete', files: said.total_files };
  const { data, compressed, batch_id: batchId } = said;
  const packed = data === undefined ? undefined : Buffer.from(data, 'base64');
  if (packed && compressed !== isGzip(packed))
    throw brokenProtocol('the data of a batch is not packed as it says');
  const list = said.files ?? parsed(filesSchema, packed ? await jsonIn(packed, limits) : undefined);
  if (list.length > limits.batchFiles) throw beyondLimit(`a batch has ${list.length} files`);
  const files = list.map(({ path, content, encoding, mtime }) => ({
    path,
    bytes: Buffer.from(content, encoding === 'base64' ? 'base64' : 'utf8'),
    ...(mtime !== undefined && { modifiedAt: mtime * 1000 }),
  }));
  const damaged = list
    .filter(({ checksum }, at) => checksum !== undefined && !has(files[at]?.bytes, checksum.toLowerCase()))
    .map(({ path }) => path);
  return { type: 'batch', batchId, damaged, files };
}

/** Bytes of one message, packed or not: two of today's batches. */
function maxBytes({ batchBytes }: StreamLimits): number {
  return 2 * batchBytes;
}

async function jsonIn(message: Uint8Array, limits: StreamLimits): Promise<unknown> {
  const bytes = isGzip(message) ? await unpacked(message, maxBytes(limits)) : message;
  if (bytes.length > maxBytes(limits)) throw beyondLimit(`a message has ${bytes.length} bytes`);
  boundJson({ values: 20 * limits.batchFiles, numbers: 20 * limits.batchFiles })(bytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (cause) {
    throw brokenProtocol('a message is no JSON', cause);
  }
}

async function unpacked(message: Uint8Array, max: number): Promise<Buffer> {
  try {
    return await unpack(message, { maxOutputLength: max });
  } catch (cause) {
    if (cause instanceof RangeError) throw beyondLimit(`a message unpacks to more than ${max} bytes`);
    throw brokenProtocol(messageOf(cause), cause);
  }
}

function isGzip([first, second]: Uint8Array): boolean {
  return first === 0x1f && second === 0x8b;
}

function has(bytes: Buffer | undefined, checksum: string): boolean {
  const algorithm = { 32: 'md5', 40: 'sha1' }[checksum.length] ?? 'sha256';
  return (
    createHash(algorithm)
      .update(bytes ?? '')
      .digest('hex') === checksum
  );
}

/** The design writes types in capitals, programs in small letters. */
function lowered(value: unknown): unknown {
  const type = (value as { type?: unknown } | null)?.type;
  return typeof type === 'string' ? { ...(value as object), type: type.toLowerCase() } : value;
}

function parsed<Value>(schema: z.ZodType<Value>, value: unknown): Value {
  const result = schema.safeParse(value, untilFirstIssue);
  if (result.success) return result.data;
  throw brokenProtocol(firstIssue(result.error, 'a message'));
}
