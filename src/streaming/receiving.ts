import { threadFile } from '../platform/package-folder.ts';
import { createThread } from '../platform/threads/thread.ts';
import type { Entry, PushStats, StreamLimits } from './protocol.ts';
import type { Need } from './received-files.ts';

/** What the thread is asked to do for a session. */
export interface ReceivingRequest {
  readonly session: string;
  readonly work:
    | { type: 'begin'; project: string; base: string; limits: StreamLimits }
    | { type: 'stage'; first: number; entries: readonly Entry[]; removed: readonly string[] }
    | { type: 'batch'; message: Uint8Array; expected: number; limits: StreamLimits }
    | { type: 'complete'; files: number; bytes: number }
    | { type: 'first-protocol'; message: Uint8Array; limits: StreamLimits }
    | { type: 'end' };
}

/** What it answers: the fields that belong to the work. */
export interface ReceivingAnswer {
  readonly revision?: string;
  readonly needs?: readonly Need[];
  readonly batch?: number;
  readonly isKept?: boolean;
  /** What a client of the first protocol has said. */
  readonly said?: 'batch' | 'complete';
  readonly batchId?: string | number | undefined;
  readonly files?: number;
  /** Why a batch has to be sent again. */
  readonly reason?: string;
  /** Absent where client and server do not agree about the files. */
  readonly stats?: PushStats;
}

/** Unpacks, checks and keeps what clients send, in a thread: searches do not wait for disks. */
export interface Receiving {
  call(session: string, work: ReceivingRequest['work']): Promise<ReceivingAnswer>;
  close(): Promise<void>;
}

/** Nothing is started before the first client comes. */
export function createReceiving(): Receiving {
  const thread = createThread<ReceivingRequest, ReceivingAnswer>({
    file: threadFile('streaming/receiving-thread'),
    // A full disk is the trouble of one client: others have their sessions in the same thread.
    isReplacedAfter: () => false,
  });
  return {
    call(session, work) {
      const transfer = 'message' in work ? [work.message.buffer as ArrayBuffer] : [];
      return thread.call({ session, work }, { transfer });
    },
    close: () => thread.end(),
  };
}
