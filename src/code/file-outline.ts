import type { OutlineEntry } from '../calls/graph-outcomes.ts';
import type { Store } from '../contracts/store.ts';
import type { Chunk } from '../core/chunk.ts';
import { QuarryError } from '../core/errors.ts';
import { documentId } from '../core/identity.ts';
import { citationOf, joinPlaces } from '../core/text/citation.ts';
import { outlineOf } from '../graph/answers/outline.ts';
import type { GraphView } from '../graph/resolve/view.ts';
import { chunksOf } from '../index/chunks-of.ts';

/** What a file has, and why that is nothing or not all, where it is so. */
export interface FileOutline {
  readonly entries: readonly OutlineEntry[];
  readonly gap?: string;
}

/** The definitions of code, or the headings, keys and messages of another file, as its chunks have them. */
export async function fileOutline(store: Store, view: GraphView, uri: string): Promise<FileOutline> {
  const code = outlineOf(view, uri);
  if (code && code.definitions.length > 0) {
    const depths = new Map<number, number>();
    const entries = code.definitions.map(
      ({ name, kind, within, position, firstLine, lastLine, signature }) => {
        const depth = within === undefined ? 0 : (depths.get(within) ?? 0) + 1;
        depths.set(position, depth);
        return { name, kind, depth, citation: linesAt(uri, firstLine, lastLine), signature };
      },
    );
    return { entries, ...(code.gap !== undefined && { gap: code.gap }) };
  }
  const entries = await sectionsOf(store, uri);
  if (entries.length > 0) return { entries };
  return { entries, gap: code?.gap ?? 'It has no headings, keys or definitions: its text is one piece.' };
}

async function sectionsOf(store: Store, uri: string): Promise<OutlineEntry[]> {
  const chunks = await chunksOf(store, documentId(uri));
  if (chunks.length === 0)
    throw new QuarryError(
      'document-not-found',
      `There is no "${uri}" in the index.`,
      'Name a path as a search shows it, relative to the project.',
    );
  const headings = chunks.flatMap((chunk) => headingsIn(uri, chunk));
  if (headings.length > 0) return headings;
  const entries: OutlineEntry[] = [];
  for (const [at, { section, place }] of chunks.entries()) {
    const isMessage = place.kind === 'messages';
    const name =
      isMessage && section === '' ? place.first.subject || `message ${place.first.message}` : section;
    if (name === '' || chunks[at - 1]?.section === section) continue;
    let end = at;
    while (chunks[end + 1]?.section === section) end += 1;
    const parts = name.split(' > ');
    const whole = joinPlaces(place, chunks[end]?.place ?? place);
    entries.push({
      name: parts.at(-1) ?? name,
      kind: isMessage ? 'message' : 'section',
      depth: parts.length - 1,
      citation: citationOf(uri, whole),
      signature: name,
    });
  }
  return entries;
}

/** The headings of Markdown, also of several that share a chunk. */
function headingsIn(uri: string, { text, place, metadata, section }: Chunk): OutlineEntry[] {
  if (place.kind !== 'lines' || section === '' || metadata.language !== undefined) return [];
  let isFenced = false;
  return text.split('\n').flatMap((line, at) => {
    if (/^\s*(?:```|~~~)/.test(line)) isFenced = !isFenced;
    const [, signs = '', written = ''] = /^(#{1,6})\s(.*)$/.exec(line) ?? [];
    const name = written
      .trim()
      .replace(/(?<!#)#+$/, '')
      .trimEnd();
    if (isFenced || name === '') return [];
    const number = place.first + at;
    return [
      {
        name,
        kind: 'section',
        depth: signs.length - 1,
        citation: linesAt(uri, number, number),
        signature: line.trim(),
      },
    ];
  });
}

function linesAt(uri: string, first: number, last: number): string {
  return citationOf(uri, { kind: 'lines', first, last });
}
