import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { messageOf, QuarryError } from '../../../core/errors.ts';
import { sha256 } from '../../../core/identity.ts';
import type { TranscriptAgent } from './agents.ts';
import { createFolding, emptySession, type FoldedSession, type Folding } from './folding.ts';
import { fieldsOf } from './formats/fields.ts';
import { readPackedRecords, readRecords } from './read-records.ts';
import type { SessionCache } from './session-cache.ts';

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;
/** Files below this are read as fast as what is kept of them. */
const worthKeeping = 2 ** 20;
/** Of what was read so much is compared at both ends. */
const compared = 4096;
/** Bytes of a session that is one value of JSON, at most. */
const maxWhole = 64 * 2 ** 20;
/** Bytes that are unpacked of a session at most. */
const maxUnpacked = 2 ** 30;
/** Bytes of a session in which it says where and when it began: what comes first may be long. */
const headBytes = 2 ** 23;

/** How sessions are read. */
export interface SessionReading {
  readonly agent: TranscriptAgent;
  readonly cache: SessionCache;
  readonly redact: (text: string) => string;
}

/** The session in a file: what is kept of it, and what came since. */
export async function readSession(
  path: string,
  { agent, cache, redact }: SessionReading,
  signal?: AbortSignal,
): Promise<FoldedSession> {
  return withFile(path, async (handle, size, inode) => {
    if (path.endsWith('.json')) return readWhole(handle, size, agent, redact);
    if (path.endsWith('.zst')) return readPacked(handle, maxUnpacked, agent, redact, signal);
    const kept = size > worthKeeping ? cache.read(path) : undefined;
    const isSame =
      kept !== undefined &&
      kept.inode === inode &&
      kept.offset <= size &&
      kept.ends === (await endsOf(handle, kept.offset));
    const session = isSame ? kept.session : emptySession();
    const from = isSame ? kept.offset : 0;
    const folding = createFolding(session, redact);
    const offset = await readRecords(handle, from, size, readerFor(agent, folding), signal);
    if (size > worthKeeping && offset > from)
      await cache.write(path, { session, inode, offset, ends: await endsOf(handle, offset) });
    return session;
  });
}

/** What a session says of itself at its beginning. */
export async function readHead(path: string, agent: TranscriptAgent): Promise<FoldedSession> {
  return withFile(path, async (handle, size) => {
    const same = (text: string) => text;
    if (path.endsWith('.json')) return readWhole(handle, size, agent, same);
    if (path.endsWith('.zst')) return readPacked(handle, headBytes, agent, same);
    const folding = createFolding(emptySession(), same);
    const { session } = folding;
    for (let step = 2 ** 14, from = 0; from < size && from < headBytes; step *= 4) {
      from = await readRecords(handle, from, Math.min(size, from + step), readerFor(agent, folding));
      const { id, folder, startedAt } = session.facts;
      if ((id && folder && startedAt !== undefined) || step > headBytes) break;
    }
    return session;
  });
}

function readerFor(agent: TranscriptAgent, folding: Folding) {
  return {
    take: (record: unknown) => agent.take(fieldsOf(record), folding),
    broken: () => {
      folding.session.broken += 1;
    },
  };
}

async function readPacked(
  handle: FileHandle,
  max: number,
  agent: TranscriptAgent,
  redact: (text: string) => string,
  signal?: AbortSignal,
): Promise<FoldedSession> {
  const folding = createFolding(emptySession(), redact);
  await readPackedRecords(handle, max, readerFor(agent, folding), signal);
  return folding.session;
}

async function readWhole(
  handle: FileHandle,
  size: number,
  agent: TranscriptAgent,
  redact: (text: string) => string,
): Promise<FoldedSession> {
  const folding = createFolding(emptySession(), redact);
  const { session } = folding;
  if (size > maxWhole) return { ...session, broken: 1 };
  try {
    const bytes = Buffer.alloc(size);
    const { bytesRead } = await handle.read(bytes, 0, size, 0);
    const value: unknown = JSON.parse(bytes.subarray(0, bytesRead).toString('utf8'));
    for (const record of Array.isArray(value) ? value : [value]) agent.take(fieldsOf(record), folding);
  } catch {
    // What cannot be read of a session is counted and said with it.
    session.broken += 1;
  }
  return session;
}

/** What bytes begin and end with. */
async function endsOf(handle: FileHandle, length: number): Promise<string> {
  const head = Buffer.alloc(Math.min(compared, length));
  const tail = Buffer.alloc(head.length);
  await handle.read(head, 0, head.length, 0);
  await handle.read(tail, 0, tail.length, length - tail.length);
  return sha256(Buffer.concat([head, tail]));
}

/** Works with a regular file, not through a link, and never waits for a pipe. */
async function withFile<Result>(
  path: string,
  work: (handle: FileHandle, size: number, inode: number) => Promise<Result>,
): Promise<Result> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
    const stats = await handle.stat();
    if (!stats.isFile()) throw unreadable(path, 'it is not a regular file');
    return await work(handle, stats.size, stats.ino);
  } catch (cause) {
    throw cause instanceof QuarryError ? cause : unreadable(path, messageOf(cause), cause);
  } finally {
    await handle?.close();
  }
}

function unreadable(path: string, why: string, cause?: unknown): QuarryError {
  return new QuarryError(
    'file-unreadable',
    `The session in ${path} cannot be read: ${why}.`,
    'Make it readable.',
    { cause },
  );
}
