import type { z } from 'zod';
import { beginningOf } from '../core/text/shortened.ts';
import type { outlineOperation } from '../operations/find/code-graph.ts';

type Entries = z.output<typeof outlineOperation.output>['entries'];

/** Characters of a signature. */
const maxSignature = 120;

/**
 * What an outline says, a line each: of a folder its files with what they define; of a file its path, and below it what it has,
 * indented by its depth, behind the lines that `read` takes after the path.
 */
export function outlineLines(path: string, entries: Entries): string[] {
  if (entries.some(({ kind }) => kind === 'file' || kind === 'folder')) return folderLines(entries);
  if (entries.length === 0) return [];
  return [
    path,
    ...entries.map(({ depth, citation, signature, kind, name }) => {
      const text = kind === 'section' || kind === 'message' ? name : signature || name;
      const short = text.length > maxSignature ? `${beginningOf(text, maxSignature)}…` : text;
      return `${placeIn(path, citation)} ${'  '.repeat(depth)}${short}`;
    }),
  ];
}

/** A citation behind its path: the lines, a page, a cell. */
function placeIn(path: string, citation: string): string {
  return citation.startsWith(path) ? citation.slice(path.length).replace(/^[:,]? ?/, '') : citation;
}

/** The outline of a folder, a line for each file: what it defines, with lines that `read` takes behind its path; members begin with a dot. */
function folderLines(entries: Entries): string[] {
  const lines: string[][] = [];
  for (const { kind, name, depth, citation, signature } of entries) {
    if (depth === 0) lines.push([kind === 'folder' ? signature : name]);
    else
      lines.at(-1)?.push(`${depth > 1 ? '.' : ''}${name} ${citation.slice(citation.lastIndexOf(':') + 1)}`);
  }
  return lines.map(([path = '', ...defined]) =>
    defined.length > 0 ? `${path}: ${defined.join(', ')}` : path,
  );
}
