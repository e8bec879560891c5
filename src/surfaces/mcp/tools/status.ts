import type { z } from 'zod';
import { untrustedWords } from '../../../core/failures/untrusted-settings.ts';
import { counted } from '../../../core/text/counted.ts';
import type { statusOperation } from '../../../operations/index/status.ts';
import { answerText, quote } from '../fence.ts';
import { noteData, noteParts, summaryOf } from '../notes.ts';
import { perform } from '../perform.ts';
import type { McpTool } from '../tool.ts';

/** Files that are named; others are counted. */
const namedFiles = 5;

/** Says how far the index is. */
export const statusTool: McpTool = {
  name: 'status',
  description:
    'Show how many files and chunks are indexed, what is pending or failed, and how far the index is behind the files. Use it when a search misses something that should be there.',
  operation: 'status',
  fields: {},
  isUnlisted: true,
  isOfProject: true,
  async call(input, context) {
    const result = (await perform(context, 'status', { ...input, recent: 0, topics: 0 })) as z.output<
      typeof statusOperation.output
    >;
    const { enabled, empty, documents, chunks, pending, synced_at, changes, embedder, skipped_count } =
      result;
    const { incomparable, failed, degraded, disabled, untrusted = [], retired = [] } = result;
    const notes = {
      notes: [
        ...context.host.notes(),
        ...(disabled ? [summaryOf(disabled.code)] : []),
        ...(incomparable ? ['The index cannot be compared with the files now.'] : []),
        ...countOf('could not be read', failed),
        ...countOf('were read in part', degraded),
        ...(untrusted.length > 0 ? [summaryOf('trust-missing')] : []),
        ...(retired.length > 0 ? ['Some settings have names of the version before.'] : []),
      ],
      details: [
        ...(disabled ? [`${disabled.message} ${disabled.remedy}`] : []),
        ...(incomparable ? [incomparable.message] : []),
        ...namesOf(failed),
        ...namesOf(degraded),
        ...(untrusted.length > 0 ? [untrustedWords(untrusted).message] : []),
        ...retired,
      ],
    };
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
        ...noteData(notes),
      },
      text: answerText([
        ...(disabled
          ? []
          : [
              `${counted(documents, 'file')}, ${counted(chunks, 'chunk')}, ${pending} of them without a vector yet; ${counted(skipped_count, 'path')} skipped.`,
              `Files that differ now: ${behind}.`,
              quote([`Last in sync: ${synced_at ?? 'never'}. Embedder: ${embedder}.`]),
            ]),
        ...noteParts(notes),
      ]),
    };
  },
};

function countOf(what: string, files: readonly unknown[]): string[] {
  return files.length === 0 ? [] : [`${counted(files.length, 'file')} ${what}.`];
}

function namesOf(files: readonly { readonly path: string }[]): string[] {
  const names = files.slice(0, namedFiles).map(({ path }) => path);
  return files.length > namedFiles ? [...names, '…'] : names;
}
