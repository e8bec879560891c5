import type { Metadata, MetadataValue } from '../../core/document.ts';
import { linksIn } from '../../core/documents/note-links.ts';
import { beginningOf } from '../../core/text/shortened.ts';

/** Longest front matter and longest list in it that are read, and the most of each other kind. */
const maxFrontMatterLength = 20_000;
const maxListLength = 100;

/**
 * What a note says of itself: its front matter, the properties of a page of Logseq (`tags:: boat, rope`), tags in its text (`#boat`)
 * and what it links to. Nested values are left to the text.
 */
export function noteFields(text: string): Metadata {
  const written = { ...pageProperties(text), ...frontMatter(text) };
  const prose = withoutCode(text);
  const tags = [
    ...new Set([
      ...listOf(written.tags ?? written.tag),
      ...inlineTags(prose.replace(/\]\([^)\n]{0,300}\)/g, ']')),
    ]),
  ];
  const aliases = [...listOf(written.aliases), ...listOf(written.alias)];
  const links = linksIn(prose);
  return {
    ...written,
    ...(tags.length > 0 && { tags }),
    ...(aliases.length > 0 && { aliases }),
    ...(links.length > 0 && { links }),
  };
}

/** A list, or a text that lists by commas. */
function listOf(value: MetadataValue | undefined): string[] {
  if (value === undefined || value === null) return [];
  const items = Array.isArray(value) ? value : String(value).split(/,\s*/);
  return items.map((item) => item.replace(/^#/, '').replace(/^\[\[(.*)\]\]$/, '$1')).filter(Boolean);
}

/** Strings, numbers, booleans and plain lists of the front matter. */
function frontMatter(text: string): Metadata {
  const match = /^---[ \t]*\r?\n([\s\S]*?)\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/.exec(
    text.slice(0, maxFrontMatterLength),
  );
  const metadata: Record<string, MetadataValue> = {};
  let list: string[] = [];
  for (const line of match?.[1]?.split(/\r?\n/) ?? []) {
    const item = /^\s*-\s+(.+)$/.exec(line)?.[1];
    const [, key, value = ''] = /^([\p{L}][\p{L}\p{N}_-]{0,63}):(?:\s+(.*))?$/u.exec(line) ?? [];
    if (item && list.length < maxListLength) list.push(unquoted(item));
    if (!key) continue;
    list = [];
    metadata[key] = value.trim() === '' ? list : scalarOf(value.trim());
  }
  return Object.fromEntries(
    Object.entries(metadata).filter(([, value]) => !Array.isArray(value) || value.length > 0),
  );
}

/** The properties at the top of a page of Logseq: `tags:: boat, rope`, each on a line of its own. */
function pageProperties(text: string): Metadata {
  const properties: Record<string, MetadataValue> = {};
  for (const line of text.slice(0, maxFrontMatterLength).split(/\r?\n/, maxListLength)) {
    const [, key, value = ''] = /^(?:-\s+)?([\p{L}][\p{L}\p{N}_-]{0,63})::\s+(.*)$/u.exec(line) ?? [];
    if (!key) break;
    properties[key] = scalarOf(value.trim());
  }
  return properties;
}

/** `#boat/rigging` and `#[[old boats]]`; `#12` is the number of an issue. */
function inlineTags(prose: string): string[] {
  const tags = new Set<string>();
  for (const [, plain, bracketed] of prose.matchAll(
    /(?<![^\s(,;])#(?:(?=[\d/_-]*\p{L})([\p{L}\p{N}_/-]{1,100})|\[\[([^\][\n]{1,100})\]\])(?![\p{L}\p{N}#])/gu,
  )) {
    tags.add(plain ?? bracketed ?? '');
    if (tags.size >= maxListLength) break;
  }
  return [...tags];
}

/** The text with fenced and inline code blanked out: a `#include` is no tag, and `[[ -f x ]]` no link. */
function withoutCode(text: string): string {
  let fence = '';
  return text
    .split('\n')
    .map((line) => {
      const mark = /^\s{0,12}(?:[-*+]\s+)?(```+|~~~+)/.exec(line)?.[1] ?? '';
      if (fence === '' && mark !== '') fence = mark;
      else if (fence !== '' && mark.startsWith(fence)) fence = '';
      else if (fence === '') return line.replace(/`[^`\n]{1,1000}`/g, '');
      return '';
    })
    .join('\n');
}

function scalarOf(written: string): MetadataValue {
  const inside = /^\[(?!\[)(.*)\]$/.exec(written)?.[1];
  if (inside !== undefined) {
    return inside
      .split(',', maxListLength)
      .map(unquoted)
      .filter((item) => item !== '');
  }
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(written)) return Number(written);
  if (/^(true|false)$/.test(written)) return written === 'true';
  return unquoted(written);
}

function unquoted(written: string): string {
  return beginningOf(written.trim().replace(/^(["'])(.*)\1$/, '$2'), 500);
}
