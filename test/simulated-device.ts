import type { Embedder, EmbedderLimits, EmbedOptions } from '../src/contracts/embedder.ts';
import { QuarryError } from '../src/core/errors.ts';
import type { Clock } from '../src/platform/clock.ts';
import { createVirtualClock } from './virtual-clock.ts';

/** A call to the device. */
export interface SimulatedCall {
  /** Counts the calls from 0. */
  readonly number: number;
  readonly texts: readonly string[];
  /** Tokens that it costs: every text counts as long as the longest, unless the device packs them. */
  readonly tokens: number;
  /** UTF-8 bytes of its texts. */
  readonly bytes: number;
  /** When it began, in milliseconds of the device's clock. */
  readonly at: number;
}

/** A call with its end. */
export interface EndedCall extends SimulatedCall {
  readonly endedAt: number;
  /** The error, if it was rejected. */
  readonly error?: QuarryError;
}

/** How a simulated device behaves; without options it is small and never fails. */
export interface SimulatedDeviceOptions {
  readonly clock?: Clock;
  readonly dimensions?: number;
  readonly maxTokens?: number;
  readonly limits?: Partial<EmbedderLimits>;
  /** Milliseconds of a call, independent of its size. */
  readonly perCall?: number;
  /** Milliseconds per token. */
  readonly perToken?: number;
  /** Whether all texts of a call cost as much as its longest one. */
  readonly pads?: boolean;
  /** How many calls it works on at once; the others wait. */
  readonly lanes?: number;
  /** Tokens above which a call is out of memory; a function where the memory changes. */
  readonly memoryTokens?: number | ((call: SimulatedCall) => number);
  /** Bytes above which a call is refused as too large (413). */
  readonly bodyBytes?: number;
  /** Milliseconds on top of what a call costs. */
  readonly latency?: (call: SimulatedCall) => number;
  /** The error that a call is rejected with at once, such as `provider-limited`. */
  readonly fails?: (call: SimulatedCall) => QuarryError | undefined;
  /** Texts that no call may contain. */
  readonly refuses?: (text: string) => boolean;
}

/** An embedder without a model. Its calls cost what the options say, on a clock that may be virtual. */
export interface SimulatedDevice extends Embedder {
  readonly clock: Clock;
  /** Every call that has ended, in the order of their ends. */
  readonly ended: readonly EndedCall[];
  readonly inFlight: number;
  readonly maxInFlight: number;
  readonly isClosed: boolean;
  /** The vector of a text: the same in every call and on every device with the same dimensions. */
  vectorOf(text: string): Float32Array;
}

const charactersPerToken = 4;

/** A device that is as deterministic as its options: the same calls at the same times end the same way. */
export function createSimulatedDevice(options: SimulatedDeviceOptions = {}): SimulatedDevice {
  const { clock = createVirtualClock(), dimensions = 4, maxTokens = 512, pads = true, lanes = 1 } = options;
  const limits: EmbedderLimits = { batchTexts: 64, concurrency: 1, gainsFromSize: true, ...options.limits };
  const ended: EndedCall[] = [];
  const freeAt: number[] = Array.from({ length: Number.isFinite(lanes) ? lanes : 0 }, () => 0);
  const state = { calls: 0, inFlight: 0, maxInFlight: 0, isClosed: false };

  const describe = (texts: readonly string[]): SimulatedCall => {
    const lengths = texts.map(countTokens);
    const tokens = pads ? Math.max(0, ...lengths) * texts.length : lengths.reduce((sum, one) => sum + one, 0);
    const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    return { number: state.calls++, texts, tokens, bytes, at: clock.now() };
  };
  const work = async (call: SimulatedCall, signal: AbortSignal | undefined): Promise<Float32Array[]> => {
    await clock.wait(0, signal);
    const error = options.fails?.(call) ?? tooLarge(call, options);
    if (error) throw error;
    const cost =
      (options.perCall ?? 1) + (options.perToken ?? 0.001) * call.tokens + (options.latency?.(call) ?? 0);
    await clock.wait(takeLane(freeAt, clock.now(), cost) - clock.now(), signal);
    const refused = options.refuses && call.texts.find(options.refuses);
    if (refused !== undefined) throw refusal(refused);
    return call.texts.map((text) => vectorOf(text, dimensions));
  };
  return {
    fingerprint: `simulated:${dimensions}`,
    dimensions,
    maxTokens,
    limits,
    facts: { device: 'simulated' },
    clock,
    ended,
    countTokens,
    vectorOf: (text) => vectorOf(text, dimensions),
    async embed(texts, { signal }: EmbedOptions) {
      const call = describe(texts);
      state.inFlight += 1;
      state.maxInFlight = Math.max(state.maxInFlight, state.inFlight);
      try {
        const vectors = await work(call, signal);
        ended.push({ ...call, endedAt: clock.now() });
        return vectors;
      } catch (thrown) {
        ended.push({ ...call, endedAt: clock.now(), error: thrown as QuarryError });
        throw thrown;
      } finally {
        state.inFlight -= 1;
      }
    },
    async close() {
      state.isClosed = true;
    },
    get inFlight() {
      return state.inFlight;
    },
    get maxInFlight() {
      return state.maxInFlight;
    },
    get isClosed() {
      return state.isClosed;
    },
  };
}

function countTokens(text: string): number {
  return Math.ceil(text.length / charactersPerToken);
}

/** The moment at which new work will be done, on the lane that is free first. */
function takeLane(freeAt: number[], now: number, cost: number): number {
  if (freeAt.length === 0) return now + cost;
  const lane = freeAt.indexOf(Math.min(...freeAt));
  const end = Math.max(now, freeAt[lane] ?? 0) + cost;
  freeAt[lane] = end;
  return end;
}

function tooLarge(call: SimulatedCall, options: SimulatedDeviceOptions): QuarryError | undefined {
  const { memoryTokens = Number.POSITIVE_INFINITY, bodyBytes = Number.POSITIVE_INFINITY } = options;
  const memory = typeof memoryTokens === 'function' ? memoryTokens(call) : memoryTokens;
  if (call.tokens <= memory && call.bytes <= bodyBytes) return undefined;
  return new QuarryError(
    'embedding-too-large',
    `A call of ${call.tokens} tokens and ${call.bytes} bytes is more than the device can take.`,
    'Send less in one call.',
  );
}

function refusal(text: string): QuarryError {
  return new QuarryError(
    'embedding-failed',
    `The device refuses the text ${JSON.stringify(text.slice(0, 40))}.`,
    'Leave it out.',
  );
}

/** A unit vector that is a function of the text alone. */
function vectorOf(text: string, dimensions: number): Float32Array {
  let hash = 2166136261;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 16777619);
  const vector = new Float32Array(dimensions);
  for (let at = 0; at < dimensions; at += 1) {
    hash = Math.imul(hash ^ (hash >>> 15), 2246822519) + at;
    vector[at] = ((hash >>> 0) + 1) / 2 ** 32 - 0.5;
  }
  const length = Math.hypot(...vector);
  if (length > 0) for (let at = 0; at < dimensions; at += 1) vector[at] = (vector[at] ?? 0) / length;
  else vector[0] = 1;
  return vector;
}
