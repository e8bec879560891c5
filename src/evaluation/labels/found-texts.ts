import type { Project } from '../../calls/project.ts';
import type { Hit } from '../../core/hit.ts';
import { documentId } from '../../core/identity.ts';
import { linesOf } from '../../core/text/citation.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import type { OpenedPart } from '../evaluation-set.ts';
import type { FoundPlace, FoundText, LineRange } from './judgement.ts';

/** The lines of each chunk of a document, in its order; none where it has no chunk. */
export type ChunkLines = (uri: string) => Promise<readonly LineRange[]>;

/** Reads the lines of chunks from a project's index, of each document once. */
export function chunkLinesOf(project: Pick<Project, 'store'>): ChunkLines {
  const known = new Map<string, Promise<readonly LineRange[]>>();
  return (uri) => {
    const read = known.get(uri) ?? readLines(project, uri);
    known.set(uri, read);
    return read;
  };
}

async function readLines(project: Pick<Project, 'store'>, uri: string): Promise<readonly LineRange[]> {
  const store = await project.store();
  const chunks = await chunksOf(store, documentId(uri));
  return chunks.flatMap(({ place }) => {
    const lines = linesOf(place);
    return lines ? [lines] : [];
  });
}

/**
 * Hits as a person sees them: each text with all its places, its own first and then those of its copies. Documents that
 * are not judged are left out, and so is a text without any other place.
 */
export function foundTexts(
  hits: readonly Pick<Hit, 'chunk' | 'document' | 'alsoAt'>[],
  { isIgnored }: Pick<OpenedPart, 'isIgnored'>,
): FoundText[] {
  return hits.flatMap(({ chunk, document, alsoAt = [] }) => {
    const places = [{ uri: document.uri, place: chunk.place }, ...alsoAt]
      .filter(({ uri }) => isIgnored?.(uri) !== true)
      .map(({ uri, place }): FoundPlace => {
        const lines = linesOf(place);
        return { uri, ...(lines && { lines }) };
      });
    return places.length > 0 ? [{ id: chunk.id, places }] : [];
  });
}
