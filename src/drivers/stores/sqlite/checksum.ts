import type { SQLInputValue } from 'node:sqlite';
import { crc32 } from 'node:zlib';

/** A number that differs, but for one in four thousand million, where any of the values of a row differs. */
export function checksumOf(values: readonly unknown[]): number {
  let checksum = 0;
  for (const value of values) checksum = crc32(taggedBytes(value), checksum);
  return checksum;
}

/** The values with their checksum behind them, as a row takes them. */
export function withChecksum(values: readonly SQLInputValue[]): SQLInputValue[] {
  return [...values, checksumOf(values)];
}

// The kind and the length stand before each value, so that nothing can move from one value to the next unnoticed.
function taggedBytes(value: unknown): Buffer {
  const bytes = value instanceof Uint8Array ? value : Buffer.from(String(value), 'utf8');
  return Buffer.concat([Buffer.from(`${typeof value}:${bytes.length}:`, 'latin1'), bytes]);
}
