import { randomUUID } from 'node:crypto';
import { asQuarryError, type ErrorData, QuarryError } from '../core/errors.ts';
import { eventToData, type QuarryEvent } from '../core/events.ts';
import { readFirstStart } from './first-protocol.ts';
import type { Link } from './link.ts';
import {
  brokenProtocol,
  type PushStats,
  protocolVersion,
  readClientMessage,
  type ServerMessage,
  type StreamLimits,
} from './protocol.ts';
import type { Receiving } from './receiving.ts';
import type { Slots } from './slots.ts';

/** Milliseconds that a client may take. */
export interface Patience {
  /** For its first message. */
  readonly start: number;
  /** From one message to the next. */
  readonly message: number;
  /** Without anything but signs of life. */
  readonly progress: number;
}

/** Gives a client time to read a large tree, but not for ever: others may wait for their turn. */
export const defaultPatience: Patience = { start: 10_000, message: 60_000, progress: 600_000 };

/** How far a push is, for who looks at the server. */
export interface PushState {
  readonly phase?: 'connected' | 'waiting' | 'sending' | 'indexing' | 'done' | 'failed';
  readonly project?: string;
  /** Name and version of the program. */
  readonly client?: string;
  /** Bytes that have come in this session, as they travelled. */
  readonly receivedBytes?: number;
  /** What came of it. */
  readonly stats?: PushStats;
  readonly error?: ErrorData;
}

/** What a server receives files with. */
export interface ReceiveParts {
  readonly receiving: Receiving;
  readonly slots: Slots;
  readonly limits: StreamLimits;
  readonly patience: Patience;
  /** The folder of a project that this client may fill; rejects where it may not. */
  folderOf(project: string): Promise<string>;
  /** Indexes what has come, and returns the summary. */
  index(project: string, signal: AbortSignal): AsyncGenerator<QuarryEvent, unknown>;
  /** What the client may know of an error; the rest is logged. */
  shown(error: QuarryError): ErrorData;
  /** Hears what is new of the push. */
  heard(state: PushState): void;
}

/** Events of indexing that a client follows. */
const followed: readonly string[] = [
  'index-waiting',
  'scan-end',
  'document-indexed',
  'document-deleted',
  'document-failed',
  'document-degraded',
  'vectors-failed',
  'vectors-paused',
  'root-failed',
  'index-set-aside',
  'project-disabled',
  'index-end',
];

/** Talks with one client from start to end. Whatever it does, it is answered, and nobody else is harmed. */
export async function receiveFiles(link: Link, parts: ReceiveParts): Promise<void> {
  const say = (message: ServerMessage) => link.send(message);
  try {
    const { project, stats, isFirst } = await receive(link, parts, say);
    parts.heard({ phase: 'indexing', stats });
    // The first protocol has one answer to the end, the stats.
    const tell = isFirst ? async () => undefined : say;
    await tell({ type: 'completed', stats });
    const index = await follow(parts.index(project, link.signal), tell);
    parts.heard({ phase: 'done' });
    await say({ type: 'stats', stats, index });
    link.close();
  } catch (thrown) {
    const error = asQuarryError(thrown);
    const data = parts.shown(error);
    parts.heard({ phase: 'failed', error: data });
    // The client has left; the log has the failure.
    await say({ type: 'error', error: { ...data } }).catch(() => undefined);
    link.close(1008, data.code);
  }
}

/** Which processes a server has is no business of its clients. */
function withoutHolder(event: QuarryEvent): QuarryEvent {
  return event.type === 'index-waiting' ? { type: event.type } : event;
}

async function follow(
  work: AsyncGenerator<QuarryEvent, unknown>,
  say: (message: ServerMessage) => Promise<void>,
): Promise<unknown> {
  try {
    let step = await work.next();
    for (; !step.done; step = await work.next())
      if (followed.includes(step.value.type))
        await say({ type: 'event', event: eventToData(withoutHolder(step.value)) });
    return step.value;
  } finally {
    await work.return(undefined);
  }
}

async function receive(
  link: Link,
  parts: ReceiveParts,
  say: (message: ServerMessage) => Promise<void>,
): Promise<{ project: string; stats: PushStats; isFirst: boolean }> {
  const { limits, receiving } = parts;
  const text = await textFrom(link, parts.patience.start);
  const first = readFirstStart(text);
  const { project, client, base } = first ? { ...first, base: '' } : readStart(text);
  const folder = await parts.folderOf(project);
  parts.heard({ project, client });
  const release = await parts.slots.take(project, link.signal, () => {
    parts.heard({ phase: 'waiting' });
    // A client that has left is noticed where it is read from.
    if (!first) say({ type: 'waiting' }).catch(() => undefined);
  });
  const session = randomUUID();
  try {
    const { revision = '' } = await receiving.call(session, { type: 'begin', project: folder, base, limits });
    parts.heard({ phase: 'sending', receivedBytes: 0 });
    if (first) await link.send({ type: 'ack', protocol: 0, project });
    else await say({ type: 'started', protocol: protocolVersion, revision, limits });
    const take = first ? takeBatches(link, parts, session) : takeAll(link, parts, session, say);
    return { project, stats: await take, isFirst: first !== undefined };
  } finally {
    // A thread that has ended has closed its files.
    await receiving.call(session, { type: 'end' }).catch(() => undefined);
    release();
  }
}

function readStart(text: string) {
  const start = readClientMessage(text);
  if (start.type !== 'start') throw brokenProtocol(`it begins with "${start.type}"`);
  if (start.protocol < protocolVersion) throw otherVersion(start.protocol);
  return start;
}

/** Takes batches of whole files from a client of the first protocol. It knows no credit: it is slowed down by being read slowly. */
async function takeBatches(
  link: Link,
  { receiving, limits, patience, heard }: ReceiveParts,
  session: string,
): Promise<PushStats> {
  let receivedBytes = 0;
  for (let batch = 0; ; batch += 1) {
    const said = await nextFrom(link, patience.message);
    // A copy of its own goes to the thread: the original is part of what the library reads into.
    const message = typeof said === 'string' ? new TextEncoder().encode(said) : new Uint8Array(said);
    receivedBytes += message.length;
    const answer = await receiving.call(session, { type: 'first-protocol', message, limits });
    if (answer.said === 'complete') {
      if (answer.stats) return answer.stats;
      throw brokenProtocol('fewer or more files have come than it says');
    }
    const { batchId, files, reason } = answer;
    const named = { batch, ...(batchId !== undefined && { batch_id: batchId }) };
    await link.send(reason ? { type: 'nack', ...named, reason } : { type: 'ack', ...named, files });
    heard({ receivedBytes });
  }
}

/** Takes pages and batches until the client says that these were all. */
async function takeAll(
  link: Link,
  { receiving, limits, patience, heard }: ReceiveParts,
  session: string,
  say: (message: ServerMessage) => Promise<void>,
): Promise<PushStats> {
  let batches = 0;
  let receivedBytes = 0;
  let lastProgress = performance.now();
  for (;;) {
    const message = await nextFrom(link, patience.message);
    // Besides what is answered one at a time, a client may give signs of life.
    if (link.waiting > limits.credit * 2) throw brokenProtocol('it sends more than it was given credit for');
    if (performance.now() - lastProgress > patience.progress) throw stalled();
    if (typeof message !== 'string') {
      // A copy of its own goes to the thread: the original is part of what the library reads into.
      const bytes = new Uint8Array(message);
      receivedBytes += bytes.length;
      const answer = await receiving.call(session, {
        type: 'batch',
        message: bytes,
        expected: batches,
        limits,
      });
      const batch = answer.batch ?? -1;
      if (batch < batches || batch > batches + limits.credit)
        throw brokenProtocol(`batch ${batch} comes instead of ${batches}`);
      if (answer.isKept) batches += 1;
      await say(
        answer.isKept
          ? { type: 'ack', batch }
          : {
              type: 'nack',
              batch,
              reason: batch === batches ? 'its checksum is wrong' : `batch ${batches} comes first`,
            },
      );
      heard({ receivedBytes });
      lastProgress = performance.now();
      continue;
    }
    const said = readClientMessage(message);
    if (said.type === 'busy') continue;
    lastProgress = performance.now();
    if (said.type === 'start') throw brokenProtocol('it starts twice');
    if (said.type === 'complete') {
      const { stats } = await receiving.call(session, said);
      if (stats) return stats;
      throw new QuarryError(
        'usage-invalid',
        'Client and server do not agree about the files of the project.',
        'Push again: the whole manifest is sent then.',
        { retryAfter: 0 },
      );
    }
    const { needs = [] } = await receiving.call(session, { ...said, type: 'stage' });
    await say({ type: 'need', first: said.first, files: [...needs] });
  }
}

async function nextFrom(link: Link, milliseconds: number): Promise<string | Uint8Array> {
  const message = await link.next(milliseconds);
  if (message === undefined)
    throw new QuarryError('interrupted', 'The client has disconnected.', 'Push again to continue.');
  return message;
}

async function textFrom(link: Link, milliseconds: number): Promise<string> {
  const message = await nextFrom(link, milliseconds);
  if (typeof message === 'string') return message;
  throw brokenProtocol('it begins with bytes');
}

function stalled(): QuarryError {
  return new QuarryError(
    'usage-invalid',
    'The client says that it is busy, but sends nothing.',
    'Push again: what has arrived is not sent again.',
  );
}

function otherVersion(version: number): QuarryError {
  return new QuarryError(
    'version-mismatch',
    `The client speaks version ${version} of the protocol, the server ${protocolVersion}.`,
    'Update the older of the two.',
  );
}
