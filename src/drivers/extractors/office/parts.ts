import type { Extraction } from '../../../contracts/extractor.ts';
import { beginningOf } from '../../../core/text/shortened.ts';
import type { XmlHandlers, XmlReader } from './xml.ts';
import type { ZipArchive } from './zip.ts';

/** A part of an archive as XML text; damage there costs what the part says, not the document. */
export function optionalPart(archive: ZipArchive, name: string): string | undefined {
  try {
    return decodeXml(archive.read(name));
  } catch {
    // The document is read without it.
    return undefined;
  }
}

/** The text of a part in UTF-8 or UTF-16, the two encodings that these formats have. */
export function decodeXml(bytes: Uint8Array | undefined): string | undefined {
  if (!bytes) return undefined;
  const wide = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return new TextDecoder(wide ? (bytes[0] === 0xff ? 'utf-16le' : 'utf-16be') : 'utf-8').decode(bytes);
}

/** XML as far as it fits the bound, without an element that was cut: what is open there is whole. */
export async function startOfPart(
  archive: ZipArchive,
  name: string,
): Promise<{ readonly xml: string; readonly isWhole: boolean } | undefined> {
  const start = await archive.readStart(name);
  const xml = decodeXml(start?.bytes);
  if (!start || xml === undefined) return undefined;
  return { xml: start.isWhole ? xml : xml.slice(0, xml.lastIndexOf('</')), isWhole: start.isWhole };
}

/** The words of the first element with this name; empty where there is none. */
export async function elementText(
  xml: string | undefined,
  element: string,
  readXml: XmlReader,
): Promise<string> {
  let words = '';
  let inside = false;
  let isDone = false;
  const handlers: XmlHandlers = {
    open: (name) => {
      inside = name === element && !isDone;
    },
    text: (text) => {
      if (inside) words += text;
    },
    close: (name) => {
      if (inside && name === element) isDone = true;
      inside = false;
    },
  };
  if (xml !== undefined) await readXml(xml, handlers);
  return beginningOf(words.replace(/\s+/g, ' ').trim(), 300);
}

/** The targets of a part of Office Open XML by their identity, with the kind of each. */
export type Relations = ReadonlyMap<string, { readonly kind: string; readonly target: string }>;

/** What another part of an archive a part refers to, as paths from the root of the archive. */
export async function relationsOf(archive: ZipArchive, part: string, readXml: XmlReader): Promise<Relations> {
  const relations = new Map<string, { kind: string; target: string }>();
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const xml = optionalPart(archive, `${folder}_rels/${part.slice(folder.length)}.rels`);
  if (xml === undefined) return relations;
  await readXml(xml, {
    open(name, { Id, Type = '', Target, TargetMode }) {
      if (localName(name) !== 'Relationship' || !Id || !Target || TargetMode === 'External') return;
      const kind = Type.slice(Type.lastIndexOf('/') + 1);
      relations.set(Id, { kind, target: resolved(folder, Target) });
    },
  });
  return relations;
}

/** A path within an archive, as a part in this folder writes it. */
export function resolved(folder: string, target: string): string {
  return new URL(target, `http://archive/${folder}`).pathname.slice(1).replaceAll('%20', ' ');
}

/** The name of an element or attribute without its prefix, which each program chooses for itself. */
export function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** An attribute whatever its prefix is; `r:id` is the identity of a relation. */
export function prefixed(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  const key = Object.keys(attributes).find((key) => key.endsWith(`:${name}`));
  return key === undefined ? undefined : attributes[key];
}

/** A file that is left out, with what its user can do about it. */
export function unreadable(rule: string): Extraction {
  return { kind: 'skip', reason: 'unsupported', rule };
}

/**
 * Files of Office 97-2003 and encrypted ones of today are compound files, not archives: why such bytes are left out, and what
 * to do. Undefined for any other bytes.
 */
export function compoundFileSkip(
  bytes: Uint8Array,
  format: string,
  old: string,
  extension: string,
): Extraction | undefined {
  if (!isCompoundFile(bytes)) return undefined;
  const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(
    Buffer.from('EncryptedPackage', 'utf16le'),
  );
  return unreadable(
    isEncrypted
      ? `encrypted ${format}: save it without a password to have it read`
      : `a file of ${old}: save it as ${extension} to have it read`,
  );
}

/** Whether bytes begin like a compound file, the container of Office 97-2003 and Outlook. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return [0xd0, 0xcf, 0x11, 0xe0].every((byte, at) => bytes[at] === byte);
}
