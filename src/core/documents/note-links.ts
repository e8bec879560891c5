import type { Metadata } from '../document.ts';

/** Links of one document that are kept. */
const maxLinks = 300;
const maxLength = 300;

/** `[[Rigging]]`, `[[Rigging#Knots|how]]`, `![[sketch.png]]`; and `[how](../rigging.md#knots)`, which names no server. */
const linkPattern =
  /\[\[([^\][\n|#^]{1,300})(?:[#^|][^\][\n]{0,300})?\]\]|\]\((?:<([^<>\n]{1,300})>|([^\s()<>]{1,300}))(?:\s+"[^"\n]{0,300}")?\)/g;

/** What a text links to within its project: names of notes as they are written, and paths with a `./` before them. */
export function linksIn(text: string): string[] {
  const links = new Set<string>();
  for (const [, note, bracketed, plain] of text.matchAll(linkPattern)) {
    const link = note === undefined ? pathOf(bracketed ?? plain ?? '') : note.trim();
    if (link !== '' && link.length <= maxLength) links.add(link);
    if (links.size >= maxLinks) break;
  }
  return [...links];
}

/** The links of a document, as its metadata has them. */
export function keptLinks({ links }: Metadata): readonly string[] {
  return Array.isArray(links) ? links.map(String) : [];
}

/** A relative path, marked as such so that it is not taken for the name of a note; empty for an address or a place in the same file. */
function pathOf(written: string): string {
  if (/^(?:[a-z][a-z0-9+.-]*:|\/\/|#|$)/i.test(written)) return '';
  const path = decoded(written.replace(/[?#].*$/s, ''));
  return path === '' ? '' : path.startsWith('/') ? path : `./${path.replace(/^\.\//, '')}`;
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    // A "%" that stands for no character is one.
    return path;
  }
}
