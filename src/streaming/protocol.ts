import { z } from 'zod';
import { isVirtual } from '../core/document.ts';
import { isCommit } from '../core/documents/commit.ts';
import { QuarryError } from '../core/errors.ts';
import { firstIssue, untilFirstIssue } from '../core/failures/first-issue.ts';
import { isHostileUri } from '../platform/contained-path.ts';
import { boundJson } from '../platform/json-bounds.ts';

/** The version of the protocol that this program speaks. Clients of the first, which had no number, are understood too. */
export const protocolVersion = 1;

/** The address of the protocol on a server. */
export const streamPath = '/ws/file-agent';

/** Bounds on one push. A server states its own; these are the largest that any has. */
export const defaultLimits = {
  /** Files in one batch. */
  batchFiles: 500,
  /** Bytes of one batch before it is compressed. A larger file travels in pieces. */
  batchBytes: 4 * 1024 * 1024,
  /** Entries of one page of the manifest. */
  pageEntries: 2000,
  /** Messages that a client may send before the first of them is answered. */
  credit: 4,
  fileBytes: 1024 * 1024 * 1024,
  /** Files of a project. */
  files: 1_000_000,
  /** Bytes of a project. */
  projectBytes: 64 * 1024 * 1024 * 1024,
} as const;

/** What a server takes. */
export type StreamLimits = { readonly [Name in keyof typeof defaultLimits]: number };

const count = z.int().min(0).max(Number.MAX_SAFE_INTEGER);
const hash = z.string().regex(/^[0-9a-f]{64}$/, 'is no SHA-256 in hex');
/** The path of a file of a project. */
export const pathSchema = z
  .string()
  .min(1)
  .max(4096)
  .refine(
    isPlainPath,
    'is not a path inside a project: it is absolute, or has ".." or characters that no path has',
  );

/** Whether a path can name a file of a project, on whichever system the client runs. */
export function isPlainPath(text: string): boolean {
  if (isHostileUri(text, 'linux') || isVirtual(text) || isCommit(text) || !text.isWellFormed()) return false;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: names with them are refused here.
  if (/[\u0000-\u001f\u007f]/.test(text)) return false;
  return text.split('/').every((part) => part !== '' && part !== '.');
}

const entrySchema = z.tuple([pathSchema, count, hash, z.number().min(0).max(8.64e15)]);
/** One file of a manifest: path, bytes, SHA-256 and time of its last change in milliseconds since 1970. */
export type Entry = Readonly<z.output<typeof entrySchema>>;

const errorSchema = z.object({
  code: z.string(),
  message: z.string(),
  remedy: z.string(),
  retryAfter: z.number().optional(),
});

const startSchema = z.object({
  type: z.literal('start'),
  protocol: z.int().describe('The newest version that the client speaks.'),
  project: z.string().min(1).max(64),
  client: z.string().max(200).describe('Name and version of the program, for the log.'),
  base: z
    .string()
    .max(64)
    .describe(
      'The revision that the client knows: where it is that of the server, only differences are sent.',
    ),
});
const manifestSchema = z.object({
  type: z.literal('manifest'),
  first: count.describe(
    'The number of the first entry; entries are counted from 0 in the order they are sent.',
  ),
  entries: z.array(entrySchema).max(defaultLimits.pageEntries),
  removed: z.array(pathSchema).max(defaultLimits.pageEntries).default([]),
});
const completeSchema = z.object({
  type: z.literal('complete'),
  files: count.describe('All files of the project, sent now or before.'),
  bytes: count.describe('Their bytes.'),
});
const busySchema = z.object({ type: z.literal('busy') });

/** What a client says; the contents of files travel in messages of bytes. */
const clientMessageSchema = z.discriminatedUnion('type', [
  startSchema,
  manifestSchema,
  completeSchema,
  busySchema,
]);
export type ClientMessage = z.input<typeof clientMessageSchema>;
type ReadClientMessage = z.output<typeof clientMessageSchema>;

const statsSchema = z.object({
  revision: z.string(),
  files: count.describe('Files that the server now has.'),
  bytes: count,
  added: count,
  changed: count,
  removed: count,
  received_files: count.describe('Files whose contents travelled in this session.'),
  received_bytes: count,
});
/** What came of a push on the server. */
export type PushStats = Readonly<z.output<typeof statsSchema>>;

const serverMessageSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('waiting') }).describe('Another client has its turn.'),
  z.object({
    type: z.literal('started'),
    protocol: z.int(),
    revision: z.string().describe('Empty where the server has no files yet.'),
    limits: z.object({
      batchFiles: count,
      batchBytes: count,
      pageEntries: count,
      credit: count,
      fileBytes: count,
      files: count,
      projectBytes: count,
    }),
  }),
  z
    .object({ type: z.literal('need'), first: count, files: z.array(z.tuple([count, count])) })
    .describe('Numbers of the files of a page whose contents are needed, and from which byte on.'),
  z
    .object({ type: z.literal('ack'), batch: count })
    .describe('The batch is kept, whatever happens from here on.'),
  z
    .object({ type: z.literal('nack'), batch: count, reason: z.string() })
    .describe('The batch is to be sent again.'),
  z
    .object({ type: z.literal('completed'), stats: statsSchema })
    .describe('The files are those of the client.'),
  z.object({ type: z.literal('event'), event: z.looseObject({ type: z.string() }) }),
  z.object({ type: z.literal('stats'), stats: statsSchema, index: z.unknown().optional() }),
  z.object({ type: z.literal('error'), error: errorSchema }),
]);
/** What a server says. */
export type ServerMessage = z.output<typeof serverMessageSchema>;

/** The message of a client in this text; what breaks the protocol is refused. */
export function readClientMessage(text: string): ReadClientMessage {
  boundJson({ values: 20 * defaultLimits.pageEntries, numbers: 20 * defaultLimits.pageEntries })(
    Buffer.from(text),
  );
  return read(clientMessageSchema, text);
}

/** The message of a server in this text. */
export function readServerMessage(text: string): ServerMessage {
  return read(serverMessageSchema, text);
}

function read<Message>(schema: z.ZodType<Message>, text: string): Message {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw brokenProtocol('a message is no JSON', cause);
  }
  const parsed = schema.safeParse(value, untilFirstIssue);
  if (parsed.success) return parsed.data;
  throw brokenProtocol(firstIssue(parsed.error, 'a message'));
}

/** The error for a peer that does not keep to the protocol. */
export function brokenProtocol(what: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `The stream of files was refused: ${what}.`,
    'Use a client and a server of the same version, and send files by their paths in the project.',
    { cause },
  );
}

/** The error for what is beyond a limit. */
export function beyondLimit(what: string): QuarryError {
  return new QuarryError(
    'request-too-large',
    `The stream of files was refused: ${what}.`,
    'Leave files out with .quarryignore, or ask the operator of the server for more.',
  );
}
