import { beginningOf } from '../../../core/text/shortened.ts';
import { decodeXml, elementText, localName, optionalPart, resolved } from '../office/parts.ts';
import type { XmlReader } from '../office/xml.ts';
import type { ZipArchive } from '../office/zip.ts';

/** What a book says about itself. */
export interface BookParts {
  /** The files of its text in reading order, with what the table of contents calls them. */
  readonly chapters: readonly { readonly part: string; readonly name?: string | undefined }[];
  /** Empty where it does not say. */
  readonly title: string;
  readonly author: string;
  readonly language: string;
}

/** A book has some hundred files; a hostile one may list any number. */
const maxChapters = 5000;

const textTypes = new Set(['application/xhtml+xml', 'text/html', 'application/x-dtbook+xml']);

interface Item {
  readonly part: string;
  readonly type: string;
  readonly isContents: boolean;
}

/** The parts of a book, or why it cannot be read. */
export async function openBook(archive: ZipArchive, readXml: XmlReader): Promise<BookParts | string> {
  const packagePart = await packageOf(archive, readXml);
  const xml = packagePart === undefined ? undefined : decodeXml(archive.read(packagePart));
  if (packagePart === undefined || xml === undefined) return 'no book in the archive';
  const { items, order, toc } = await manifestOf(xml, packagePart, readXml);
  const contents = [...items.values()].find(({ isContents }) => isContents) ?? items.get(toc);
  const chapters = order
    .map((id) => items.get(id))
    .filter((item): item is Item => item !== undefined && textTypes.has(item.type) && !item.isContents)
    .slice(0, maxChapters);
  const locked = await lockedParts(archive, readXml);
  if (chapters.some(({ part }) => locked.has(part)))
    return 'a protected EPUB (DRM): only programs of its seller can read it';
  const names = contents ? await namesIn(archive, contents.part, readXml) : new Map<string, string>();
  return {
    chapters: chapters.map(({ part }) => ({ part, name: names.get(part) })),
    title: await elementText(xml, 'dc:title', readXml),
    author: await elementText(xml, 'dc:creator', readXml),
    language: await elementText(xml, 'dc:language', readXml),
  };
}

async function packageOf(archive: ZipArchive, readXml: XmlReader): Promise<string | undefined> {
  let path: string | undefined;
  await readXml(optionalPart(archive, 'META-INF/container.xml') ?? '', {
    open(name, attributes) {
      if (localName(name) === 'rootfile') path ??= attributes['full-path'];
    },
  });
  return path;
}

async function manifestOf(xml: string, packagePart: string, readXml: XmlReader) {
  const folder = packagePart.slice(0, packagePart.lastIndexOf('/') + 1);
  const items = new Map<string, Item>();
  const order: string[] = [];
  let toc = '';
  await readXml(xml, {
    open(name, attributes) {
      const { id, href, idref, properties = '' } = attributes;
      if (localName(name) === 'item' && id !== undefined && href !== undefined) {
        const isContents = properties.split(' ').includes('nav');
        items.set(id, { part: partAt(folder, href), type: attributes['media-type'] ?? '', isContents });
      } else if (localName(name) === 'itemref' && idref !== undefined) order.push(idref);
      else if (localName(name) === 'spine') toc = attributes.toc ?? '';
    },
  });
  return { items, order, toc };
}

/** Parts that are encrypted; fonts often are, and are not needed. */
async function lockedParts(archive: ZipArchive, readXml: XmlReader): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  await readXml(optionalPart(archive, 'META-INF/encryption.xml') ?? '', {
    open(name, attributes) {
      if (localName(name) === 'CipherReference') locked.add(partAt('', attributes.URI ?? ''));
    },
  });
  return locked;
}

/** What a table of contents, of version 2 or 3, calls the files: the first name of each. */
async function namesIn(
  archive: ZipArchive,
  part: string,
  readXml: XmlReader,
): Promise<ReadonlyMap<string, string>> {
  const folder = part.slice(0, part.lastIndexOf('/') + 1);
  const names = new Map<string, string>();
  let words = '';
  let href = '';
  const add = (): void => {
    const name = beginningOf(words.replace(/\s+/g, ' ').trim(), 300);
    const target = partAt(folder, href);
    if (name !== '' && href !== '' && !names.has(target)) names.set(target, name);
    [words, href] = ['', ''];
  };
  await readXml(optionalPart(archive, part) ?? '', {
    open(name, attributes) {
      const element = localName(name);
      if (element === 'a' || element === 'navLabel') words = '';
      if (element === 'a') href = attributes.href ?? '';
      if (element === 'content') {
        href = attributes.src ?? '';
        add();
      }
    },
    text: (text) => {
      words += text;
    },
    close: (name) => {
      if (localName(name) === 'a') add();
    },
  });
  return names;
}

/** A path in the archive as a link says it, without what follows the file. */
function partAt(folder: string, href: string): string {
  const path = resolved(folder, href.replace(/[#?].*$/s, ''));
  try {
    return decodeURIComponent(path);
  } catch {
    // A sign of percent that begins no code stands for itself.
    return path;
  }
}
