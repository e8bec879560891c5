import { type ReferenceKind, referenceKinds } from '../../core/code-graph.ts';

/** One mention of a name in a file, as it is kept. */
export interface Site {
  readonly kind: ReferenceKind;
  readonly line: number;
  readonly column: number;
  /** Position of the definition around it; -1 at the level of the file. */
  readonly within: number;
  /** Position of its chain among those of the file; -1 where it is no member. */
  readonly chain: number;
}

/** All mentions in a file: for each name its number, the length of what follows, and its sites. */
export function packMentions(mentions: ReadonlyMap<number, readonly Site[]>): Buffer {
  const bytes: number[] = [];
  for (const [name, sites] of mentions) {
    const packed = packSites(sites);
    pushNumber(bytes, name);
    pushNumber(bytes, packed.length);
    for (const byte of packed) bytes.push(byte);
  }
  return Buffer.from(bytes);
}

/** The names in what was packed, each with the bytes of its sites. */
export function* unpackMentions(bytes: Uint8Array): Generator<readonly [name: number, sites: Uint8Array]> {
  const numbers = { bytes, at: 0 };
  while (numbers.at < bytes.length) {
    const name = nextNumber(numbers);
    const length = nextNumber(numbers);
    yield [name, bytes.subarray(numbers.at, numbers.at + length)];
    numbers.at += length;
  }
}

/** The bytes of the sites of one name in what was packed. */
export function sitesOf(bytes: Uint8Array, wanted: number): Uint8Array | undefined {
  const numbers = { bytes, at: 0 };
  while (numbers.at < bytes.length) {
    const name = nextNumber(numbers);
    const length = nextNumber(numbers);
    if (name === wanted) return bytes.subarray(numbers.at, numbers.at + length);
    numbers.at += length;
  }
  return undefined;
}

/** Sites in order as small numbers; lines as the distance to the one before. */
export function packSites(sites: readonly Site[]): Buffer {
  const bytes: number[] = [];
  let line = 0;
  for (const site of [...sites].sort((one, other) => one.line - other.line || one.column - other.column)) {
    const kind = referenceKinds.indexOf(site.kind);
    for (const value of [(site.line - line) * 4 + kind, site.column, site.within + 1, site.chain + 1])
      pushNumber(bytes, value);
    line = site.line;
  }
  return Buffer.from(bytes);
}

/** The sites that were packed; of bytes that somebody else wrote, what can be understood. */
export function unpackSites(bytes: Uint8Array): Site[] {
  const sites: Site[] = [];
  const numbers = { bytes, at: 0 };
  let line = 0;
  while (numbers.at < bytes.length) {
    const first = nextNumber(numbers);
    line += Math.floor(first / 4);
    const kind = referenceKinds[first % 4] ?? 'use';
    const column = nextNumber(numbers);
    sites.push({ kind, line, column, within: nextNumber(numbers) - 1, chain: nextNumber(numbers) - 1 });
  }
  return sites;
}

/** Seven bits a byte, the lowest first. */
export function pushNumber(bytes: number[], value: number): void {
  let rest = value;
  while (rest > 127) {
    bytes.push((rest % 128) + 128);
    rest = Math.floor(rest / 128);
  }
  bytes.push(rest);
}

/** The next number of what `pushNumber` wrote. */
export function nextNumber(numbers: { readonly bytes: Uint8Array; at: number }): number {
  let value = 0;
  for (let factor = 1; numbers.at < numbers.bytes.length && factor < 2 ** 42; factor *= 128) {
    const byte = numbers.bytes[numbers.at] ?? 0;
    numbers.at += 1;
    value += (byte % 128) * factor;
    if (byte < 128) break;
  }
  return value;
}
