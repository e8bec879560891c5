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

/** Sites in order as small numbers, each seven bits a byte; lines as the distance to the one before. */
export function packSites(sites: readonly Site[]): Buffer {
  const bytes: number[] = [];
  let line = 0;
  for (const site of [...sites].sort((one, other) => one.line - other.line || one.column - other.column)) {
    const kind = referenceKinds.indexOf(site.kind);
    for (const value of [(site.line - line) * 4 + kind, site.column, site.within + 1, site.chain + 1]) {
      let rest = value;
      while (rest > 127) {
        bytes.push((rest % 128) + 128);
        rest = Math.floor(rest / 128);
      }
      bytes.push(rest);
    }
    line = site.line;
  }
  return Buffer.from(bytes);
}

/** The sites that were packed; of bytes that somebody else wrote, what can be understood. */
export function unpackSites(bytes: Uint8Array): Site[] {
  const sites: Site[] = [];
  let at = 0;
  let line = 0;
  const next = (): number => {
    let value = 0;
    for (let factor = 1; at < bytes.length && factor < 2 ** 42; factor *= 128) {
      const byte = bytes[at] ?? 0;
      at += 1;
      value += (byte % 128) * factor;
      if (byte < 128) break;
    }
    return value;
  };
  while (at < bytes.length) {
    const first = next();
    line += Math.floor(first / 4);
    const kind = referenceKinds[first % 4] ?? 'use';
    sites.push({ kind, line, column: next(), within: next() - 1, chain: next() - 1 });
  }
  return sites;
}
