import { documentId } from '../core/identity.ts';
import type { Project } from '../project/project.ts';

/** First and last line, counted from 1. */
export type LineRange = readonly [first: number, last: number];

/** The lines of each passage of a document, in its order; none where it has no passage. */
export type PassageLines = (uri: string) => Promise<readonly LineRange[]>;

/** Reads the lines of passages from a project's index, of each document once. */
export function passageLinesOf(project: Pick<Project, 'store'>): PassageLines {
  const known = new Map<string, Promise<readonly LineRange[]>>();
  return (uri) => {
    const read = known.get(uri) ?? readLines(project, uri);
    known.set(uri, read);
    return read;
  };
}

async function readLines(project: Pick<Project, 'store'>, uri: string): Promise<readonly LineRange[]> {
  const store = await project.store();
  const everything = { before: 0, after: Number.MAX_SAFE_INTEGER };
  const chunks = await store.neighbours(documentId(uri), 0, everything);
  return chunks.map(({ span }) => [span.firstLine, span.lastLine] as const);
}

/** Whether two ranges have a line in common. */
export function touch(one: LineRange, other: LineRange): boolean {
  return one[0] <= other[1] && other[0] <= one[1];
}
