import { encodingOfPage } from '../rtf/rtf-encodings.ts';
import type { Storage } from './compound-file.ts';

/** The properties of a message, a recipient or an attachment, by their numbers. */
export interface Properties {
  /** A text in the encoding of the message; undefined where it has none. */
  text(tag: number): string | undefined;
  bytes(tag: number): Uint8Array | undefined;
  /** A moment in milliseconds since 1970. */
  time(tag: number): number | undefined;
  number(tag: number): number | undefined;
}

const propertyTable = '__properties_version1.0';
/** Between 1601, from which Outlook counts, and 1970. */
const epoch = 11_644_473_600_000;

/** Reads the properties of a storage; `headerBytes` stand before its table. */
export function propertiesOf(storage: Storage, headerBytes: number, fallback?: string): Properties {
  const fixed = new Map<number, DataView>();
  const table = storage.streams.get(propertyTable)?.() ?? new Uint8Array();
  for (let at = headerBytes; at + 16 <= table.length; at += 16) {
    const view = new DataView(table.buffer, table.byteOffset + at, 16);
    fixed.set(view.getUint16(2, true), view);
  }
  const stream = (tag: number, type: string): Uint8Array | undefined =>
    storage.streams.get(`__substg1.0_${tag.toString(16).padStart(4, '0').toUpperCase()}${type}`)?.();
  const number = (tag: number): number | undefined => fixed.get(tag)?.getInt32(8, true);
  const encoding =
    encodingOfPage(number(0x3ffd) ?? 0) ?? encodingOfPage(number(0x3fde) ?? 0) ?? fallback ?? 'windows-1252';
  return {
    text(tag) {
      const wide = stream(tag, '001F');
      const narrow = wide ? undefined : stream(tag, '001E');
      const text = wide
        ? new TextDecoder('utf-16le').decode(wide)
        : narrow && new TextDecoder(encoding).decode(narrow);
      return text?.replace(/\0+$/, '') || undefined;
    },
    bytes: (tag) => stream(tag, '0102'),
    time(tag) {
      const view = fixed.get(tag);
      if (!view) return undefined;
      const time = Number(view.getBigUint64(8, true) / 10_000n) - epoch;
      return Math.abs(time) < 8e15 ? time : undefined;
    },
    number,
  };
}
