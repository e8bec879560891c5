import { once } from 'node:events';
import { WebSocket } from 'ws';
import { sha256 } from '../../../core/identity.ts';
import { encodeBatch, type Piece } from '../../../streaming/batch.ts';
import { type Link, linkOf } from '../../../streaming/link.ts';
import { type ServerMessage, streamPath } from '../../../streaming/protocol.ts';

/** A client that says whatever a test wants it to say. */
export interface RawClient {
  readonly socket: WebSocket;
  readonly link: Link;
  /** The next message of the server; undefined when it has closed. */
  hear(): Promise<ServerMessage | undefined>;
  /** Says something and hears the answer. */
  ask(message: object | Uint8Array): Promise<ServerMessage | undefined>;
  /** Begins a session as a well-behaved client does. */
  start(project: string): Promise<void>;
  batch(number: number, pieces: readonly Piece[]): Promise<ServerMessage | undefined>;
}

export async function rawClient(url: string, token?: string): Promise<RawClient> {
  const socket = new WebSocket(url.replace('http', 'ws') + streamPath, {
    perMessageDeflate: false,
    headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
  });
  await once(socket, 'open');
  const link = linkOf(socket);
  const hear = async () => {
    const message = await link.next(20_000);
    return message === undefined ? undefined : (JSON.parse(String(message)) as ServerMessage);
  };
  const ask = async (message: object | Uint8Array) => {
    await link.send(message);
    return hear();
  };
  return {
    socket,
    link,
    hear,
    ask,
    async start(project) {
      await link.send(startOf(project));
      const answer = await hear();
      if (answer?.type !== 'started') throw new TypeError(`not started: ${JSON.stringify(answer)}`);
    },
    batch: async (number, pieces) => ask(await encodeBatch(number, pieces, false)),
  };
}

/** The first message of a client. */
export function startOf(project: string, protocol = 1) {
  return { type: 'start', protocol, project, client: 'raw', base: '' };
}

/** An entry of a manifest, and its content. */
export function entryOf(path: string, content: string) {
  const bytes = Buffer.from(content);
  return { entry: [path, bytes.length, sha256(bytes), 1_700_000_000_000], bytes };
}

/** A page of a manifest. */
export function pageOf(...entries: unknown[]) {
  return { type: 'manifest', first: 0, entries };
}
