import { QuarryError } from '../../../core/errors.ts';

/** A storage of a compound file: streams and further storages by name. */
export interface Storage {
  readonly streams: ReadonlyMap<string, Stream>;
  readonly storages: ReadonlyMap<string, Storage>;
}

/** A stream of a compound file, read when asked for. Throws when it is damaged or the bound is exceeded. */
export type Stream = () => Uint8Array;

interface Entry {
  readonly name: string;
  readonly type: number;
  readonly left: number;
  readonly right: number;
  readonly child: number;
  readonly start: number;
  readonly size: number;
}

const storageType = 1;
const streamType = 2;
/** Numbers from here on are marks, not sectors. */
const firstMark = 0xfffffffa;
const noEntry = 0xffffffff;
/** Storages within storages: a message, its attachments, a message that is attached. */
const deepestNesting = 4;
const maxEntries = 50_000;

/**
 * Opens a compound file, the container of Outlook. Every chain of sectors ends after as many as the file can hold, every
 * entry is met once, and all streams together may be no larger than the bound.
 */
export function openCompoundFile(bytes: Uint8Array, bound: number): Storage {
  const file = new Sectors(bytes, bound);
  const entries = file.entries();
  const [root] = entries;
  if (!root) throw damaged('no root');
  file.openSmallStreams(root.start, root.size);
  const seen = new Set<number>();
  return storageAt(root.child, entries, file, seen, 1);
}

function storageAt(
  first: number,
  entries: readonly Entry[],
  file: Sectors,
  seen: Set<number>,
  depth: number,
): Storage {
  const streams = new Map<string, Stream>();
  const storages = new Map<string, Storage>();
  const pending = [first];
  for (let at = pending.pop(); at !== undefined; at = pending.pop()) {
    const entry = entries[at];
    if (!entry || seen.has(at)) continue;
    seen.add(at);
    pending.push(entry.left, entry.right);
    if (entry.type === streamType) streams.set(entry.name, () => file.stream(entry.start, entry.size));
    else if (entry.type === storageType && depth < deepestNesting)
      storages.set(entry.name, storageAt(entry.child, entries, file, seen, depth + 1));
  }
  return { streams, storages };
}

/** The sectors of a compound file and their chains. */
class Sectors {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #size: number;
  readonly #next: readonly number[];
  readonly #nextSmall: readonly number[];
  readonly #smallLimit: number;
  #small: Uint8Array = new Uint8Array();
  #left: number;

  constructor(bytes: Uint8Array, bound: number) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#left = bound;
    if (bytes.length < 512) throw damaged('shorter than its header');
    const shift = this.#view.getUint16(30, true);
    if (shift !== 9 && shift !== 12) throw damaged(`sectors of 2^${shift} bytes`);
    this.#size = 1 << shift;
    this.#smallLimit = this.#view.getUint32(56, true);
    this.#next = this.#numbersIn(this.#tableSectors());
    this.#nextSmall = this.#numbersIn(this.#chain(this.#view.getUint32(60, true), this.#next));
  }

  entries(): Entry[] {
    const bytes = this.#join(this.#chain(this.#view.getUint32(48, true), this.#next));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const entries: Entry[] = [];
    for (let at = 0; at + 128 <= bytes.length && entries.length < maxEntries; at += 128) {
      const length = Math.min(64, view.getUint16(at + 64, true)) & ~1;
      entries.push({
        name: new TextDecoder('utf-16le').decode(bytes.subarray(at, at + Math.max(0, length - 2))),
        type: bytes[at + 66] ?? 0,
        left: view.getUint32(at + 68, true),
        right: view.getUint32(at + 72, true),
        child: view.getUint32(at + 76, true),
        start: view.getUint32(at + 116, true),
        size: view.getUint32(at + 120, true),
      });
    }
    return entries;
  }

  openSmallStreams(start: number, size: number): void {
    this.#small = this.#join(this.#chain(start, this.#next)).subarray(0, size);
  }

  stream(start: number, size: number): Uint8Array {
    if (size > this.#left) throw damaged('unpacks to more than the bound');
    this.#left -= size;
    if (size >= this.#smallLimit)
      return this.#join(this.#chain(start, this.#next, Math.ceil(size / this.#size))).subarray(0, size);
    const pieces = this.#chain(start, this.#nextSmall, Math.ceil(size / 64)).map((sector) =>
      this.#small.subarray(sector * 64, sector * 64 + 64),
    );
    return Buffer.concat(pieces).subarray(0, size);
  }

  /** The sectors that hold the table of chains: the first 109 in the header, the others in a chain of their own. */
  #tableSectors(): number[] {
    const sectors: number[] = [];
    for (let at = 76; at < 512; at += 4) sectors.push(this.#view.getUint32(at, true));
    const max = this.#bytes.length / this.#size;
    let list = this.#view.getUint32(68, true);
    for (let count = 0; list < firstMark && count < max; count += 1) {
      const start = this.#offset(list);
      for (let at = start; at < start + this.#size - 4; at += 4) sectors.push(this.#view.getUint32(at, true));
      list = this.#view.getUint32(start + this.#size - 4, true);
    }
    // One sector of the table is enough for as many sectors as it has numbers.
    return sectors.filter((sector) => sector < firstMark).slice(0, Math.ceil(max / (this.#size / 4)) + 1);
  }

  #numbersIn(sectors: readonly number[]): number[] {
    const numbers: number[] = [];
    for (const sector of sectors) {
      const start = this.#offset(sector);
      for (let at = start; at < start + this.#size; at += 4) numbers.push(this.#view.getUint32(at, true));
    }
    return numbers;
  }

  /** The sectors of a chain, of which no more than `max` are needed. */
  #chain(start: number, next: readonly number[], max = Number.POSITIVE_INFINITY): number[] {
    const chain: number[] = [];
    for (let sector = start; sector < firstMark && chain.length < max; sector = next[sector] ?? noEntry) {
      if (chain.length > next.length) throw damaged('a chain of sectors without end');
      chain.push(sector);
    }
    return chain;
  }

  #join(sectors: readonly number[]): Uint8Array {
    return Buffer.concat(
      sectors.map((sector) => {
        const start = this.#offset(sector);
        return this.#bytes.subarray(start, start + this.#size);
      }),
    );
  }

  #offset(sector: number): number {
    const start = (sector + 1) * this.#size;
    if (start + this.#size > this.#bytes.length) throw damaged('truncated: a sector is not in the file');
    return start;
  }
}

function damaged(what: string): QuarryError {
  return new QuarryError('document-unsupported', what, 'Save the file again with the program that made it.');
}
