import type { QuarryEvent } from './events.ts';

/** How far work is, for a bar, a page or a program that waits. */
export interface Progress {
  readonly phase:
    | 'waiting'
    | 'sending'
    | 'scanning'
    | 'reading'
    | 'recognising'
    | 'fetching'
    | 'loading'
    | 'embedding'
    | 'recutting'
    | 'preparing'
    | 'copying'
    | 'comparing'
    | 'asking';
  /** What is being done, in a few words for a person. */
  readonly text: string;
  readonly done: number;
  /** Absent where the total is unknown. */
  readonly total?: number;
  /** What `done` and `total` count. */
  readonly unit: string;
  /** While files are read: chunks cut so far. */
  readonly chunks?: number;
  /** While the pictures of one file are read: how far all files are. */
  readonly files?: Progress;
}

/**
 * The progress after an event. `before` is the progress before it: files are counted one by one. Undefined where no
 * work is running.
 */
export function progressOf(event: QuarryEvent, before?: Progress): Progress | undefined {
  switch (event.type) {
    case 'index-waiting':
      return begun('waiting', 'Waiting for another process');
    case 'push-waiting':
      return begun('waiting', 'Waiting for another client');
    case 'files-sent':
      return { phase: 'sending', text: 'Sending', done: event.files, unit: 'files' };
    case 'scan-start':
      return begun('scanning', 'Looking for files');
    case 'scan-end':
      if (event.changed === 0) return undefined;
      return { phase: 'reading', text: 'Reading', done: 0, total: event.changed, unit: 'files', chunks: 0 };
    case 'pages-read': {
      const { uri, done, total } = event;
      const files = before?.phase === 'reading' ? before : before?.files;
      return {
        phase: 'recognising',
        text: `Reading pictures: ${uri}`,
        done,
        total,
        unit: 'pages',
        ...(files && { files }),
      };
    }
    case 'document-indexed':
      return oneMoreFile(before, event.chunks);
    case 'document-unchanged':
    case 'document-failed':
    case 'path-skipped':
      return oneMoreFile(before, 0);
    case 'model-fetching':
      return begun('fetching', `Fetching ${event.name} (${megabytes(event.bytes)})`);
    case 'model-loading':
      return begun('loading', 'Loading the embedding model');
    case 'vectors-added':
      return { phase: 'embedding', text: 'Embedding', done: event.done, total: event.total, unit: 'chunks' };
    case 'documents-recut': {
      const { done, total } = event;
      return { phase: 'recutting', text: 'Cutting again', done, total, unit: 'documents' };
    }
    case 'code-read':
      return {
        phase: 'recutting',
        text: 'Reading code',
        done: event.done,
        total: event.total,
        unit: 'files',
      };
    case 'search-preparing':
      return {
        phase: 'preparing',
        text: 'Preparing search',
        done: event.done,
        total: event.total,
        unit: 'vectors',
      };
    case 'documents-copied':
      return { phase: 'copying', text: 'Copying', done: event.done, total: event.total, unit: 'documents' };
    case 'documents-compared': {
      const { done, total } = event;
      return { phase: 'comparing', text: 'Comparing', done, total, unit: 'documents' };
    }
    case 'questions-answered':
      return {
        phase: 'asking',
        text: `Asking ${event.set}`,
        done: event.done,
        total: event.total,
        unit: 'questions',
      };
    case 'model-ready':
    case 'vectors-failed':
    case 'documents-stale':
    case 'search-prepared':
    case 'search-unprepared':
    case 'index-end':
    case 'pass-failed':
      return undefined;
    default:
      return before;
  }
}

function begun(phase: Progress['phase'], text: string): Progress {
  return { phase, text, done: 0, unit: '' };
}

/** Paths that a scan skips are not among the files to read. */
function oneMoreFile(before: Progress | undefined, chunks: number): Progress | undefined {
  const files = before?.phase === 'recognising' ? before.files : before;
  if (files?.phase !== 'reading') return before;
  return { ...files, done: files.done + 1, chunks: (files.chunks ?? 0) + chunks };
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
