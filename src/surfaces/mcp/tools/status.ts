import type { z } from 'zod';
import { counted } from '../../../core/counted.ts';
import { statusOperation } from '../../../operations/status.ts';
import { noteLines } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';
import { withNotes } from './with-notes.ts';

/** Files that are named; others are counted. */
const namedFiles = 5;

/** Says how far the index is. */
export const statusTool: McpTool = {
  name: 'status',
  title: 'State of the index',
  description:
    'Show how many files and chunks are indexed, what is pending or failed, and how far the index is behind the files. Use it when a search misses something that should be there.',
  operation: 'status',
  fields: {},
  isOfProject: true,
  output: withNotes(
    statusOperation.output.pick({
      enabled: true,
      empty: true,
      documents: true,
      chunks: true,
      pending: true,
      synced_at: true,
      changes: true,
      embedder: true,
      skipped_count: true,
    }),
  ),
  async call(input, context) {
    const result = (await perform(context, 'status', input)) as z.output<typeof statusOperation.output>;
    const { enabled, empty, documents, chunks, pending, synced_at, changes, embedder, skipped_count } =
      result;
    const notes = [
      ...context.host.notes(),
      ...(result.incomparable ? [result.incomparable.message] : []),
      ...namesOf('could not be read', result.failed),
      ...namesOf('were read in part', result.degraded),
    ];
    const behind = changes ? changes.added + changes.changed + changes.deleted : 0;
    return {
      data: {
        enabled,
        empty,
        documents,
        chunks,
        pending,
        ...(synced_at && { synced_at }),
        ...(changes && { changes }),
        embedder,
        skipped_count,
        notes,
      },
      text: [
        `${counted(documents, 'file')}, ${counted(chunks, 'chunk')}, ${pending} of them without a vector yet; ${counted(skipped_count, 'path')} skipped.`,
        `Last in sync: ${synced_at ?? 'never'}. Files that differ now: ${behind}. Embedder: ${embedder}.`,
        ...noteLines(notes),
      ].join('\n'),
    };
  },
};

function namesOf(what: string, files: readonly { readonly path: string }[]): string[] {
  if (files.length === 0) return [];
  const names = files.slice(0, namedFiles).map(({ path }) => path);
  return [
    `${counted(files.length, 'file')} ${what}: ${names.join(', ')}${files.length > namedFiles ? ', …' : ''}.`,
  ];
}
