import type { StageTrace } from '../../core/hit.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import type { Candidate } from '../candidate.ts';

/** What a test wants to say of a chunk. */
export interface Described {
  readonly text: string;
  readonly uri?: string;
  readonly header?: string;
  readonly score?: number;
  readonly cosine?: number;
  /** Score of text search. */
  readonly bm25?: number;
  readonly trace?: readonly StageTrace[];
}

/** Chunks as the ranking hands them over. */
export function candidatesOf(described: readonly Described[]): Candidate[] {
  return described.map(({ text, uri, header = '', score, cosine, bm25, trace = [] }, place) => {
    const document = documentRecord(uri ?? `${place}.md`);
    const [entry] = chunkEntries(document, [text], { header });
    if (!entry) throw new TypeError('A text makes a chunk.');
    return {
      match: { document, chunk: { ...entry.chunk, text }, score: 1 },
      score: score ?? 1 / (place + 1),
      trace: [...stage('dense', cosine), ...stage('text', bm25), ...trace],
      ...(cosine !== undefined && { cosine }),
    };
  });
}

function stage(name: string, score: number | undefined): StageTrace[] {
  return score === undefined ? [] : [{ stage: name, score }];
}
