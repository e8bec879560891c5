import { asQuarryError, errorFromData, type QuarryError } from '../core/errors.ts';
import { encodeBatch, type Piece } from './batch.ts';
import { cut, type Link } from './link.ts';
import type { Outgoing, OutgoingFile } from './outgoing.ts';
import {
  brokenProtocol,
  type ClientMessage,
  type PushStats,
  protocolVersion,
  readServerMessage,
  type ServerMessage,
  type StreamLimits,
} from './protocol.ts';

/** Milliseconds between two signs of life while files are read. */
const busyEvery = 15_000;
/** Milliseconds that an answer may take, besides the signs of life of the connection. */
const answersWithin = 600_000;
const maxAttempts = 5;

/** How files are sent. */
export interface SendOptions {
  readonly project: string;
  /** Name and version of the program. */
  readonly client: string;
  readonly gzip: boolean;
  /** Called with each thing that a person may want to know. */
  readonly onProgress: (progress: SendProgress) => void;
}

/** How far a push is. */
export type SendProgress =
  | { readonly type: 'waiting' }
  | { readonly type: 'sent'; readonly files: number; readonly bytes: number }
  | { readonly type: 'event'; readonly event: { readonly type: string } };

/** What a push came to. */
export interface Sent {
  readonly stats: PushStats;
  /** The summary of the server's run. */
  readonly index: unknown;
}

/** Something that was sent, and waits for its answer. */
interface Unanswered {
  readonly answered: PromiseWithResolvers<ServerMessage>;
}

/** Sends what the server needs over one connection. */
export async function sendFiles(link: Link, outgoing: Outgoing, options: SendOptions): Promise<Sent> {
  const conversation = new Conversation(link, options);
  // A connection that is lost is noticed where it is read from.
  const busy = setInterval(() => void link.send({ type: 'busy' }).catch(() => undefined), busyEvery);
  try {
    return await conversation.run(outgoing);
  } finally {
    clearInterval(busy);
    link.close();
  }
}

class Conversation {
  readonly #link: Link;
  readonly #options: SendOptions;
  #limits!: StreamLimits;
  /** In the order of sending, which is the order of the answers. */
  readonly #unanswered: Unanswered[] = [];
  #failure: QuarryError | undefined;
  #entries = 0;
  #batches = 0;
  #pieces: Piece[] = [];
  #pieceBytes = 0;
  readonly #acknowledged = new Set<Promise<void>>();
  #sent = { files: 0, bytes: 0 };

  constructor(link: Link, options: SendOptions) {
    this.#link = link;
    this.#options = options;
  }

  async run(outgoing: Outgoing): Promise<Sent> {
    const { project, client } = this.#options;
    await this.#say({ type: 'start', protocol: protocolVersion, project, client, base: outgoing.base });
    const started = await this.#startedMessage();
    if (started.protocol > protocolVersion) throw brokenProtocol('the server speaks a newer protocol');
    this.#limits = started.limits;
    const reading = this.#readAnswers();
    // A failure is thrown by the one who waits for the answer.
    reading.catch(() => undefined);
    for await (const page of oneAhead(outgoing.pages(started.revision, this.#limits)))
      await this.#sendPage(page.files, page.removed, outgoing);
    await this.#flush();
    await Promise.all(this.#acknowledged);
    this.#throwFailure();
    const { files, bytes } = outgoing.totals();
    const completed = await this.#exchange({ type: 'complete', files, bytes });
    if (completed.type !== 'completed') throw brokenProtocol(`"${completed.type}" answers the end`);
    outgoing.completed(completed.stats);
    const last: Unanswered = { answered: Promise.withResolvers() };
    this.#unanswered.push(last);
    const stats = await last.answered.promise;
    if (stats.type !== 'stats') throw brokenProtocol(`"${stats.type}" comes at the end`);
    return { stats: stats.stats, index: stats.index };
  }

  /** Says which files there are, and sends the contents that are asked for. */
  async #sendPage(
    files: readonly OutgoingFile[],
    removed: readonly string[],
    outgoing: Outgoing,
  ): Promise<void> {
    const first = this.#entries;
    this.#entries += files.length;
    const entries = files.map(({ path, size, hash, modifiedAt }) => [path, size, hash, modifiedAt] as const);
    const answer = await this.#exchange({
      type: 'manifest',
      first,
      entries: entries.map((entry) => [...entry]),
      removed: [...removed],
    });
    if (answer.type !== 'need') throw brokenProtocol(`"${answer.type}" answers a page`);
    const again: OutgoingFile[] = [];
    const gone: string[] = [];
    for (const [number, from] of answer.files) {
      const file = files[number - first];
      if (!file) throw brokenProtocol(`the server asks for file ${number}, which was not offered to it`);
      const content = await file.read();
      if (content === undefined) {
        gone.push(file.path);
        outgoing.dropped(file.path);
      } else if (content.hash !== file.hash) {
        again.push(content);
        outgoing.replaced(content);
      } else await this.#add(number, from, content.bytes);
    }
    // What has changed since the page was made is announced again; its content is at hand now.
    if (again.length + gone.length > 0) await this.#sendPage(again, gone, outgoing);
  }

  async #add(file: number, from: number, content: Uint8Array): Promise<void> {
    const { batchBytes, batchFiles } = this.#limits;
    for (let at = from; at < content.length || at === 0; at += batchBytes) {
      const bytes = content.subarray(at, Math.min(at + batchBytes, content.length));
      if (this.#pieceBytes + bytes.length > batchBytes || this.#pieces.length >= batchFiles)
        await this.#flush();
      this.#pieces.push({ file, from: at, bytes });
      this.#pieceBytes += bytes.length;
    }
  }

  /** Sends the batch that has gathered, as soon as there is credit for it. */
  async #flush(): Promise<void> {
    this.#throwFailure();
    if (this.#pieces.length === 0) return;
    const pieces = this.#pieces;
    const bytes = this.#pieceBytes;
    this.#pieces = [];
    this.#pieceBytes = 0;
    const batch = this.#batches;
    this.#batches += 1;
    const message = await encodeBatch(batch, pieces, this.#options.gzip);
    const acknowledged = this.#sendBatch(message).then(
      () => {
        this.#acknowledged.delete(acknowledged);
        const files = pieces.filter(({ from }) => from === 0).length;
        this.#sent = { files: this.#sent.files + files, bytes: this.#sent.bytes + bytes };
        this.#options.onProgress({ type: 'sent', ...this.#sent });
      },
      (thrown) => {
        this.#failure ??= asQuarryError(thrown);
      },
    );
    this.#acknowledged.add(acknowledged);
    // One for the next page is left, so that the server is never without work.
    while (this.#acknowledged.size >= Math.max(1, this.#limits.credit - 1)) {
      await Promise.race(this.#acknowledged);
      this.#throwFailure();
    }
  }

  async #sendBatch(message: Uint8Array): Promise<void> {
    for (let attempt = 1; attempt <= maxAttempts; attempt += 1) {
      const answer = await this.#exchange(message);
      if (answer.type === 'ack') return;
      if (answer.type !== 'nack') throw brokenProtocol(`"${answer.type}" answers a batch`);
    }
    throw brokenProtocol(`a batch was damaged ${maxAttempts} times on its way`);
  }

  #exchange(message: ClientMessage | Uint8Array): Promise<ServerMessage> {
    this.#throwFailure();
    const unanswered: Unanswered = { answered: Promise.withResolvers() };
    // Its failure may come while nobody waits for it yet.
    unanswered.answered.promise.catch(() => undefined);
    this.#unanswered.push(unanswered);
    this.#link.send(message).catch((thrown) => this.#fail(asQuarryError(thrown)));
    return unanswered.answered.promise;
  }

  /** Gives each answer to the one who waits for it, until the server has said everything. */
  async #readAnswers(): Promise<void> {
    try {
      for (;;) {
        const message = await this.#next();
        if (message.type === 'event') this.#options.onProgress({ type: 'event', event: message.event });
        else {
          const next = this.#unanswered.shift();
          if (!next) throw brokenProtocol(`"${message.type}" answers nothing`);
          next.answered.resolve(message);
        }
        if (message.type === 'stats') return;
      }
    } catch (thrown) {
      this.#fail(asQuarryError(thrown));
    }
  }

  async #startedMessage(): Promise<Extract<ServerMessage, { type: 'started' }>> {
    for (;;) {
      const message = await this.#next();
      if (message.type === 'waiting') this.#options.onProgress({ type: 'waiting' });
      else if (message.type === 'started') return message;
      else throw brokenProtocol(`"${message.type}" comes before the start`);
    }
  }

  async #next(): Promise<ServerMessage> {
    const data = await this.#link.next(answersWithin);
    if (data === undefined) throw cut();
    if (typeof data !== 'string') throw brokenProtocol('the server sends bytes');
    const message = readServerMessage(data);
    if (message.type === 'error') throw errorFromData(message.error);
    return message;
  }

  #fail(error: QuarryError): void {
    this.#failure ??= error;
    for (const { answered } of this.#unanswered.splice(0)) answered.reject(error);
  }

  #throwFailure(): void {
    if (this.#failure) throw this.#failure;
  }

  #say(message: ClientMessage): Promise<void> {
    return this.#link.send(message);
  }
}

/** Reads the next page while the current one is on its way. */
async function* oneAhead<Value>(values: AsyncIterable<Value>): AsyncGenerator<Value> {
  const iterator = values[Symbol.asyncIterator]();
  try {
    let next = iterator.next();
    for (;;) {
      const { done, value } = await next;
      if (done) return;
      next = iterator.next();
      // Its failure is thrown when it is waited for, if that comes to pass.
      next.catch(() => undefined);
      yield value;
    }
  } finally {
    await iterator.return?.();
  }
}
