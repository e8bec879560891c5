import type { Extraction, Extractor, RawFile } from '../../contracts/extractor.ts';
import type { FileRecogniser } from '../../contracts/recogniser.ts';
import { messageOf } from '../../core/errors.ts';
import { machineFailure } from '../../core/failures/machine-failure.ts';
import { beginningOf } from '../../core/text/shortened.ts';

/** Limits for one file; extractors use the defaults, tests use smaller ones. */
export interface Bounds {
  /** Larger files are skipped unread. */
  readonly inputBytes: number;
  /** Bytes that the parts of an archive may have together after unpacking. */
  readonly unpackedBytes: number;
  /** Longer text is cut, and the result says so. */
  readonly outputCharacters: number;
  /** Time for one file. */
  readonly milliseconds: number;
}

const megabyte = 1024 * 1024;

/** Limits that an ordinary file never reaches and a hostile one reaches soon. */
export const defaultBounds: Bounds = {
  inputBytes: 64 * megabyte,
  unpackedBytes: 64 * megabyte,
  outputCharacters: 16 * megabyte,
  milliseconds: 20_000,
};

/** The moment at which work on a file must end. */
export interface Deadline {
  /** Whether the time is over; loops check it between two steps. */
  passed(): boolean;
}

/** The moment at which a part of the time for one file is over: the rest is for what is made of it then. */
export function partOfTime(bounds: Bounds, share: number): Deadline {
  const end = performance.now() + bounds.milliseconds * share;
  return { passed: () => performance.now() >= end };
}

/** Reads one file within the bounds; may throw on bad content, which `bounded` turns into a reason. */
export type BoundedReader = (
  file: RawFile,
  deadline: Deadline,
  recogniser: FileRecogniser | undefined,
) => Promise<Extraction>;

/**
 * Makes an extractor from a reader: files that are too large, empty, broken or slow are skipped with a reason, and a text
 * that is too long is cut. The timer ends waiting, not computing: a library that never yields can only be ended with its
 * thread, so readers check the deadline between steps, and the input is limited.
 */
export function bounded(format: string, bounds: Bounds, read: BoundedReader): Extractor {
  return {
    async extract(file, recogniser) {
      if (file.bytes.length === 0) return { kind: 'skip', reason: 'empty', rule: 'zero bytes' };
      if (file.bytes.length > bounds.inputBytes) {
        return {
          kind: 'skip',
          reason: 'too-large',
          rule: `${format} larger than ${sizeOf(bounds.inputBytes)}`,
        };
      }
      return checked(await settled(format, bounds, file, read, recogniser), bounds);
    },
  };
}

/** A number of bytes for a person: `64 MB`, `12 kB`. */
export function sizeOf(bytes: number): string {
  if (bytes >= megabyte) return `${Math.round(bytes / megabyte)} MB`;
  return bytes >= 1024 ? `${Math.round(bytes / 1024)} kB` : `${bytes} bytes`;
}

/** What was lost, joined to one part of a sentence; empty when nothing was lost. */
export function degradation(...losses: (string | false | undefined)[]): { degraded?: string } {
  const words = losses.filter(Boolean).join('; ');
  return words === '' ? {} : { degraded: words };
}

async function settled(
  format: string,
  bounds: Bounds,
  file: RawFile,
  read: BoundedReader,
  recogniser: FileRecogniser | undefined,
): Promise<Extraction> {
  const milliseconds = bounds.milliseconds + (recogniser?.milliseconds ?? 0);
  const end = performance.now() + milliseconds;
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Extraction>((resolve) => {
    const rule = `${format}: not read within ${milliseconds / 1000} s`;
    timer = setTimeout(() => resolve({ kind: 'skip', reason: 'unsupported', rule }), milliseconds);
  });
  try {
    return await Promise.race([read(file, { passed: () => performance.now() >= end }, recogniser), late]);
  } catch (thrown) {
    // A missing package or a lack of memory is no fault of the file: it is read again later.
    const failure = machineFailure(thrown);
    if (failure) throw failure;
    const reason = beginningOf(messageOf(thrown).replace(/\s+/g, ' '), 200) || 'unknown structure';
    return { kind: 'skip', reason: 'unsupported', rule: `broken ${format}: ${reason.replace(/\.$/, '')}` };
  } finally {
    clearTimeout(timer);
  }
}

function checked(extraction: Extraction, { outputCharacters }: Bounds): Extraction {
  if (extraction.kind === 'skip') return extraction;
  // A lone surrogate is not a character: stores and tokenizers treat it differently.
  const text = extraction.text.toWellFormed();
  if (text.trim() === '') return { kind: 'skip', reason: 'empty', rule: 'nothing but white space' };
  if (text.length <= outputCharacters) return { ...extraction, text };
  const kept = text.slice(0, outputCharacters).toWellFormed();
  return {
    ...extraction,
    text: kept,
    ...degradation(extraction.degraded, `cut after ${outputCharacters} characters`),
  };
}
