import { asQuarryError, interrupted, type QuarryError } from '../core/errors.ts';
import type { IndexEvent, PushEvent } from '../core/events.ts';
import { projectDisabled } from '../core/failures/project-disabled.ts';
import { systemClock } from '../platform/clock.ts';
import type { Environment } from '../platform/environment.ts';
import { createQueue } from '../platform/queue.ts';
import type { Settings } from '../settings/settings.ts';
import { openSource } from '../sources/project-source.ts';
import { connectTo, type Server } from '../streaming/connect.ts';
import { type SendProgress, type Sent, sendFiles } from '../streaming/send-files.ts';
import { createOutgoing } from './outgoing-files.ts';
import { openPushMemory } from './push-memory.ts';

/** Events that wait for a slow reader. */
const maxEvents = 10_000;
/** Failures in a row, without anything sent between them, after which a push gives up. */
const maxFailures = 8;
const firstPause = 500;
const maxPause = 30_000;

/** What is pushed: the files of a folder, as its settings choose them. */
export interface PushedFolder {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly cacheFolder: string;
}

/** Where and how files are pushed. */
export interface PushOptions {
  readonly server: Server;
  /** The name of the project on the server. */
  readonly project: string;
  readonly gzip: boolean;
  /** Name and version of the program. */
  readonly client: string;
  /** The paths that may have changed since the last push, where that is known. */
  readonly only?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called when the server has all files, to keep what is to be known of it later. */
  readonly onReceived?: () => Promise<void>;
}

/**
 * Makes the files of a project on a server those of a folder here. A connection that is cut is opened again, and what has
 * arrived is not sent again.
 */
export async function* pushFolder(
  pushed: PushedFolder,
  options: PushOptions,
): AsyncGenerator<PushEvent, Sent> {
  const events = createQueue<PushEvent>(maxEvents);
  const work = push(pushed, options, (event) => events.push(event)).finally(() => events.end());
  // It is thrown below, after the events that came before it.
  work.catch(() => undefined);
  yield* events;
  return work;
}

async function push(
  { folder, settings, environment, cacheFolder }: PushedFolder,
  { server, project, gzip, client, only, signal, onReceived }: PushOptions,
  emit: (event: PushEvent) => void,
): Promise<Sent> {
  if (!settings.enabled) throw projectDisabled(folder);
  const { redact_secrets, max_file_bytes } = settings.index;
  const memory = await openPushMemory(
    cacheFolder,
    [folder, server.url, project],
    `${client} redact_secrets=${redact_secrets}`,
  );
  const source = openSource(folder, settings, environment);
  const preparing = { redactSecrets: redact_secrets, maxBytes: max_file_bytes };
  let hasConnected = false;
  let failures = 0;
  const onProgress = (progress: SendProgress): void => {
    if (progress.type === 'sent') failures = 0;
    emit(eventOf(progress));
  };
  for (;;) {
    try {
      const link = await connectTo(server, signal);
      hasConnected = true;
      const outgoing = createOutgoing({ source, memory, preparing, only, signal, emit });
      const sent = await sendFiles(link, outgoing, { project, client, gzip, onProgress });
      // The files are there, whether or not that can be noted here.
      await onReceived?.().catch(() => undefined);
      return sent;
    } catch (thrown) {
      const error = signal?.aborted ? interrupted(thrown) : asQuarryError(thrown);
      failures += 1;
      if (!mayHelpToRetry(error, hasConnected) || failures > maxFailures) throw error;
      // Client and server may not agree about what was sent before.
      if (error.code === 'usage-invalid') memory.completed('');
      const pause = error.retryAfter ?? Math.min(maxPause, firstPause * 2 ** failures);
      emit({ type: 'push-interrupted', error, retrySeconds: pause / 1000 });
      await systemClock.wait(pause, signal);
    } finally {
      // What was read need not be read again, whatever came of it.
      await memory.save().catch(() => undefined);
    }
  }
}

/** A server that was never reached is rather a mistyped address. */
function mayHelpToRetry(error: QuarryError, hasConnected: boolean): boolean {
  return error.retryAfter !== undefined || (error.code === 'server-unreachable' && hasConnected);
}

function eventOf(progress: SendProgress): PushEvent {
  if (progress.type === 'waiting') return { type: 'push-waiting' };
  if (progress.type === 'sent') return { type: 'files-sent', files: progress.files, bytes: progress.bytes };
  // As data, its errors have the same fields; renderers read nothing else.
  return progress.event as IndexEvent;
}
