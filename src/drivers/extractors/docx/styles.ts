import type { XmlReader } from '../office/xml.ts';

/** Heading levels by the id of a paragraph style: 1 to 6. */
export type HeadingStyles = ReadonlyMap<string, number>;

/** Finds the styles that are headings, by their outline level or by their name, which Word keeps in English. */
export async function headingStyles(xml: string | undefined, read: XmlReader): Promise<HeadingStyles> {
  const levels = new Map<string, number>();
  let style = '';
  if (xml !== undefined) {
    await read(xml, {
      open(name, attributes) {
        if (name === 'w:style') style = attributes['w:styleId'] ?? '';
        const value = attributes['w:val'] ?? '';
        if (name === 'w:name') {
          const level = /^title$/i.test(value) ? 1 : Number(/^heading ([1-9])$/i.exec(value)?.[1] ?? 0);
          if (level > 0) levels.set(style, Math.min(6, level));
        }
        if (name === 'w:outlineLvl' && /^[0-8]$/.test(value) && !levels.has(style)) {
          levels.set(style, Math.min(6, Number(value) + 1));
        }
      },
    });
  }
  return levels;
}

/** Which lists are numbered and which have bullets, by `numId`. */
export async function orderedLists(xml: string | undefined, read: XmlReader): Promise<ReadonlySet<string>> {
  const orderedAbstract = new Set<string>();
  const ordered = new Set<string>();
  let abstract = '';
  let level = '';
  let number = '';
  if (xml !== undefined) {
    await read(xml, {
      open(name, attributes) {
        const value = attributes['w:val'] ?? '';
        if (name === 'w:abstractNum') abstract = attributes['w:abstractNumId'] ?? '';
        if (name === 'w:lvl') level = attributes['w:ilvl'] ?? '';
        if (name === 'w:numFmt' && level === '0' && value !== 'bullet' && value !== 'none')
          orderedAbstract.add(abstract);
        if (name === 'w:num') number = attributes['w:numId'] ?? '';
        if (name === 'w:abstractNumId' && orderedAbstract.has(value)) ordered.add(number);
      },
    });
  }
  return ordered;
}
