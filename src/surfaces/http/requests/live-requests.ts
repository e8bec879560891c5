import type { Credential } from '../../../engine/grants.ts';
import type { RequestOf } from './request-context.ts';

/** Milliseconds between two looks whether the tokens and sessions of requests under way still hold. */
const looksEvery = 500;

/** Bytes of answers that a caller may leave unread: they are kept until it reads them, or is cut off. */
const defaultUnread = 64 * 1024 * 1024;

/** Requests under way, by what let them in. Their connections are cut when that ends, whatever they were used for. */
export interface LiveRequests {
  /** Watches over a request until it is answered, or its connection is closed. */
  watch(c: RequestOf): void;
  /** Whether the caller of this request leaves so much of its answers unread that no more of them is to be made. */
  isBehind(c: RequestOf): boolean;
  /** Looks now instead of a moment later. */
  look(): Promise<void>;
}

interface LiveRequest {
  /** Bytes of its answer that have not left yet. */
  unread(): number;
  readonly connection: RequestOf['env']['incoming']['socket'];
}

/** No requests yet; nothing is looked at while there are none. */
export function createLiveRequests(maxUnread = defaultUnread): LiveRequests {
  const live = new Map<string, { credential: Credential; requests: Set<LiveRequest> }>();
  let isAwaited = false;
  const look = async (): Promise<void> => {
    for (const [id, { credential, requests }] of live) {
      // Where the record of tokens cannot be read now, the next look decides.
      if (await credential.holds().catch(() => true)) continue;
      live.delete(id);
      for (const { connection } of requests) connection.destroy();
    }
  };
  const lookLater = (): void => {
    if (isAwaited || live.size === 0) return;
    isAwaited = true;
    setTimeout(async () => {
      await look();
      isAwaited = false;
      lookLater();
    }, looksEvery).unref();
  };
  return {
    look,
    isBehind(c) {
      const requests = live.get(c.get('grant').credential?.id ?? '')?.requests ?? [];
      let unread = 0;
      for (const request of requests) unread += request.unread();
      return unread > maxUnread;
    },
    watch(c) {
      const { credential } = c.get('grant');
      if (!credential) return;
      const connection = c.env.incoming.socket;
      if (connection.destroyed) return;
      const { upgrade, outgoing } = c.env;
      // Answers to requests that follow each other on one connection wait behind the first.
      const request = { connection, unread: () => (upgrade ? connection : outgoing).writableLength };
      const { requests } = live.get(credential.id) ?? { requests: new Set() };
      requests.add(request);
      live.set(credential.id, { credential, requests });
      // A WebSocket lasts as long as its connection; over others one request follows the next.
      (upgrade ? connection : outgoing).once('close', () => {
        requests.delete(request);
        if (requests.size === 0 && live.get(credential.id)?.requests === requests) live.delete(credential.id);
      });
      lookLater();
    },
  };
}
