import type { z } from 'zod';
import type { outlineOperation } from '../operations/find/code-graph.ts';

type Entries = z.output<typeof outlineOperation.output>['entries'];

/** The outline of a folder, a line for each file: what it defines, with lines that `read` takes behind its path; members begin with a dot. */
export function folderLines(entries: Entries): string[] {
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
