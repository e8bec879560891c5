import type { Embedder } from '../../contracts/embedder.ts';

/** How much may be read and not yet delivered; one text more in bytes, since its length is known only when it is here. */
export interface ReadAheadWindow {
  readonly texts: number;
  readonly bytes: number;
}

/** The limits of a backend with every gap filled, and the read-ahead that suits them. */
export interface CallLimits {
  readonly texts: number;
  readonly tokens: number;
  readonly bytes: number;
  readonly concurrency: number;
  /** Undefined where the backend states none. */
  readonly callsPerMinute: number | undefined;
  readonly gainsFromSize: boolean;
  readonly window: ReadAheadWindow;
}

/** Batches to read ahead for every call in flight: enough to put texts of like length together. */
const batchesAhead = 16;
const minWindowTexts = 64;
const maxWindowTexts = 65_536;
const windowBytes = 32 * 1024 * 1024;

/** Reads the limits of an embedder as they are now; a limit that makes no sense counts as the smallest that does. */
export function callLimitsOf(
  { limits, maxTokens }: Embedder,
  window: Partial<ReadAheadWindow> = {},
): CallLimits {
  const texts = atLeastOne(limits.batchTexts);
  const concurrency = atLeastOne(limits.concurrency);
  const ahead = Math.max(minWindowTexts, texts * concurrency * batchesAhead);
  return {
    texts,
    // No call can be larger than its texts at full length, so that a search for the right size ends there.
    tokens: Math.min(limits.batchTokens ?? Number.POSITIVE_INFINITY, texts * (maxTokens + 2)),
    bytes: limits.batchBytes ?? Number.POSITIVE_INFINITY,
    concurrency,
    callsPerMinute: limits.callsPerMinute && limits.callsPerMinute > 0 ? limits.callsPerMinute : undefined,
    gainsFromSize: limits.gainsFromSize,
    window: {
      texts: atLeastOne(window.texts ?? Math.min(maxWindowTexts, ahead)),
      bytes: atLeastOne(window.bytes ?? windowBytes),
    },
  };
}

function atLeastOne(value: number): number {
  return value >= 1 ? Math.floor(value) : 1;
}
