import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { unpackedName } from '../core/document.ts';
import type { SkippedPath } from '../core/events.ts';
import { decodeText } from '../drivers/extractors/decode-text.ts';
import { extractors } from '../drivers/manifest.ts';
import { withoutSecrets } from '../indexing/without-secrets.ts';
import { formatOf } from '../reading/formats.ts';
import { redactSecrets } from '../secrets/redact-secrets.ts';

const pack = promisify(gzip);
const unpack = promisify(gunzip);

/** Formats whose bytes are the text itself. */
const plain: readonly string[] = ['text', 'markdown'];
/** Formats whose bytes are text around the text: what is blacked out there may still be hidden in another form. */
const wrapped: readonly string[] = ['html', 'notebook', 'email', 'mbox', 'ics', 'vcf'];

/** A content as it may leave this machine, or why it may not. */
export type Prepared =
  | { readonly kind: 'content'; readonly bytes: Uint8Array; readonly secrets: number }
  | { readonly kind: 'withheld'; readonly skipped: SkippedPath };

/** How contents are prepared. */
export interface PrepareOptions {
  readonly redactSecrets: boolean;
  /** What a packed file may unpack to at most. */
  readonly maxBytes: number;
}

/**
 * Blacks out the secrets of a file before it leaves this machine. One whose format hides secrets where they cannot be
 * blacked out is withheld as a whole.
 */
export async function prepareContent(
  uri: string,
  bytes: Uint8Array,
  { redactSecrets: isWanted, maxBytes }: PrepareOptions,
): Promise<Prepared> {
  if (!isWanted) return { kind: 'content', bytes, secrets: 0 };
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return prepare(uri, bytes);
  // Damaged, or larger than what may be sent: it is withheld either way.
  const unpacked = await unpack(bytes, { maxOutputLength: maxBytes }).catch(() => undefined);
  if (!unpacked)
    return withheld(uri, 'unsupported', 'it cannot be unpacked, so that no secret is found in it');
  const prepared = await prepare(unpackedName(uri), unpacked);
  if (prepared.kind === 'withheld') return { kind: 'withheld', skipped: { ...prepared.skipped, uri } };
  return prepared.secrets === 0 ? { ...prepared, bytes } : { ...prepared, bytes: await pack(prepared.bytes) };
}

async function prepare(uri: string, bytes: Uint8Array): Promise<Prepared> {
  const { extractor: name, mediaType } = formatOf(uri);
  const isPlain = plain.includes(name);
  const raw = isPlain || wrapped.includes(name) ? await decodeText(bytes) : undefined;
  if (isPlain && !raw) return withheld(uri, 'binary', 'binary content');
  const { text = '', found = [] } = raw ? redactSecrets(raw.text) : {};
  const secrets = found.reduce((sum, { count }) => sum + count, 0);
  const safe = secrets > 0 ? Buffer.from(text) : bytes;
  if (isPlain) return { kind: 'content', bytes: safe, secrets };
  const extractor = (await extractors[name]()).default();
  const extraction = await extractor.extract({ uri, bytes: Uint8Array.from(safe), mediaType });
  if (extraction.kind === 'skip') return withheld(uri, extraction.reason, extraction.rule);
  if (withoutSecrets(extraction).redacted.length === 0) return { kind: 'content', bytes: safe, secrets };
  return withheld(uri, 'secret-file', 'it holds secrets that cannot be blacked out in its format');
}

function withheld(uri: string, reason: SkippedPath['reason'], rule: string): Prepared {
  return { kind: 'withheld', skipped: { uri, reason, rule } };
}
