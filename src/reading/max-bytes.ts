import type { Settings } from '../settings/settings.ts';
import { formatOf } from './formats.ts';

/** How many bytes a format that holds less text than bytes may have for one of plain text, and in any case at most. */
const container = { share: 32, max: 2 ** 30 };

/** Bytes that a document of any format may have. */
export function maxBytesOfAnyFormat({
  max_file_bytes: bytes,
}: Pick<Settings['index'], 'max_file_bytes'>): number {
  return Math.min(bytes, container.max);
}

/** Bytes that a document may have at most. */
export function maxBytes(
  uri: string,
  { max_file_bytes: bytes }: Pick<Settings['index'], 'max_file_bytes'>,
): number {
  return formatOf(uri).isContainer ? Math.min(container.share * bytes, container.max) : bytes;
}
