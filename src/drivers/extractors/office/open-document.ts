import type { Extraction } from '../../../contracts/extractor.ts';
import type { Bounds } from '../bounds.ts';
import { compoundFileSkip, decodeXml, elementText, optionalPart, startOfPart, unreadable } from './parts.ts';
import type { XmlReader } from './xml.ts';
import { openZip } from './zip.ts';

/** The parts of an OpenDocument file that are read. */
export interface OpenDocument {
  /** XML with the text and the styles that only this text has. */
  readonly content: string;
  /** Whether the content is all of it. */
  readonly isWhole: boolean;
  /** XML with the styles that have names; empty where there is none. */
  readonly styles: string;
  /** As the properties of the file say; empty where they do not. */
  readonly title: string;
}

/** Opens a file of OpenDocument, packed or as one file of XML, or says why it is left out. */
export async function openDocument(
  bytes: Uint8Array,
  { format, extension, bounds, readXml }: OpenDocumentOptions,
): Promise<OpenDocument | Extraction> {
  const other = compoundFileSkip(bytes, format, 'an older program', extension);
  if (other) return other;
  const flat = flatDocument(bytes);
  if (flat !== undefined)
    return { content: flat, isWhole: true, styles: flat, title: await titleIn(flat, readXml) };
  const archive = openZip(bytes, bounds.unpackedBytes);
  if (!archive.has('content.xml')) return unreadable(`no ${format} document in the archive`);
  if (/<manifest:encryption-data\b/.test(optionalPart(archive, 'META-INF/manifest.xml') ?? ''))
    return unreadable(`encrypted ${format}: save it without a password to have it read`);
  const styles = optionalPart(archive, 'styles.xml') ?? '';
  const title = await titleIn(optionalPart(archive, 'meta.xml'), readXml);
  const start = await startOfPart(archive, 'content.xml');
  return { content: start?.xml ?? '', isWhole: start?.isWhole ?? false, styles, title };
}

/** What opening a file of OpenDocument needs. */
export interface OpenDocumentOptions {
  /** Its name in messages. */
  readonly format: string;
  readonly extension: string;
  readonly bounds: Bounds;
  readonly readXml: XmlReader;
}

/** The XML of a file that is not packed (`.fodt`); undefined for any other. */
function flatDocument(bytes: Uint8Array): string | undefined {
  const start = decodeXml(bytes.subarray(0, 1024))?.trimStart() ?? '';
  return /^<(?:\?xml|office:document)\b/.test(start) ? decodeXml(bytes) : undefined;
}

function titleIn(xml: string | undefined, readXml: XmlReader): Promise<string> {
  return elementText(xml, 'dc:title', readXml);
}
