import { z } from 'zod';
import type { ChunkEntry, VectorEntry } from '../../../contracts/store.ts';
import type { DocumentRecord } from '../../../core/document.ts';
import { chunkIds, documentId, embeddingKey, sha256 } from '../../../core/identity.ts';

/** A chunk that a client has cut and embedded itself. */
export const storedChunkSchema = z.strictObject({
  path: z.string().min(1).max(4096).describe('Its document; storing replaces all chunks of this path.'),
  text: z.string().max(1_000_000),
  embedding: z.array(z.number()).min(1).max(65_536),
  start_line: z.int().min(1).optional(),
  end_line: z.int().min(1).optional(),
  type: z.string().min(1).max(100).default('doc').describe('The type of its document.'),
  metadata: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).default({}),
});
type StoredChunk = z.output<typeof storedChunkSchema>;

/** A document with its chunks and their vectors, as a store takes them. */
interface EmbeddedDocument {
  readonly document: DocumentRecord;
  readonly entries: readonly ChunkEntry[];
  readonly vectors: readonly VectorEntry[];
}

/** The chunks by document. The text of a document is that of its chunks, a line apart. */
export function documentsOf(chunks: readonly StoredChunk[]): EmbeddedDocument[] {
  return [...Map.groupBy(chunks, ({ path }) => path)].map(([path, members]) => {
    const id = documentId(path);
    const ids = chunkIds(
      path,
      members.map(({ text }) => text),
    );
    let start = 0;
    const entries = members.map((member, ordinal): ChunkEntry => {
      const { text, start_line: firstLine = 1, metadata } = member;
      const lastLine = Math.max(firstLine, member.end_line ?? firstLine + text.split('\n').length - 1);
      const span = { start, end: start + text.length, firstLine, lastLine };
      start = span.end + 1;
      return {
        chunk: {
          id: ids[ordinal] ?? '',
          documentId: id,
          ordinal,
          span,
          place: { kind: 'lines', first: firstLine, last: lastLine },
          text,
          header: '',
          section: '',
          metadata,
        },
        embeddingKey: embeddingKey(text),
      };
    });
    return {
      document: {
        id,
        uri: path,
        title: path.slice(path.lastIndexOf('/') + 1),
        type: members[0]?.type ?? 'doc',
        origin: 'virtual',
        mediaType: 'text/plain',
        revision: sha256(members.map(({ text }) => text).join('\n')),
        modifiedAt: Date.now(),
        metadata: {},
      },
      entries,
      vectors: members.map(({ text, embedding }) => ({
        embeddingKey: embeddingKey(text),
        vector: Float32Array.from(embedding),
      })),
    };
  });
}
