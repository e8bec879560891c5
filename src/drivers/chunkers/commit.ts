import type { Chunker, ChunkLimits } from '../../contracts/chunker.ts';
import { lineCut, mergeSmall, sectionDrafts, type TextSection } from './sections.ts';
import { createTokenMeter } from './token-meter.ts';

/** Where the changes of a file begin: lines of changes begin with a sign, and so never like this. */
const fileStart = /^diff (.+)$/gm;

/** Tokens of changes in one chunk: those of small files stand together, since a commit has many and each says little. */
const ofChanges = { minTokens: 200, targetTokens: 384, maxTokens: 512 };

/** The changes of one file, or of several small ones. */
interface ChangedFile extends TextSection {
  readonly path: string;
}

/** A commit: its message with its files first, then the changes of each file, between their places where they are long. */
export function createCommitChunker(): Chunker {
  return {
    async chunk({ text, title }, limits: ChunkLimits) {
      const meter = createTokenMeter(text, limits);
      const files = [...text.matchAll(fileStart)];
      const message = { start: 0, end: files[0]?.index ?? text.length, name: title, header: title };
      const changes = files.map(({ index, 1: path = '' }, at): ChangedFile => {
        const end = files[at + 1]?.index ?? text.length;
        const name = `${title} > ${path}`;
        return { start: index, end, name, header: name, path };
      });
      const messageLimits = { ...limits, maxTokens: Math.max(limits.maxTokens, limits.messageTokens ?? 0) };
      const wide = { ...limits, ...ofChanges, overlapTokens: 0 };
      const together = mergeSmall(changes, wide, meter, (one, other) => ({
        ...one,
        end: other.end,
        path: other.path,
        name: `${one.name}, ${other.path}`,
        header: `${one.header}, ${other.path}`,
      }));
      return {
        drafts: [
          ...sectionDrafts(text, [message], messageLimits, meter, lineCut(text, messageLimits, meter)),
          ...sectionDrafts(text, together, wide, meter, lineCut(text, wide, meter)),
        ],
      };
    },
  };
}

export default createCommitChunker;
