import type { Chunk } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import type { Hit } from '../core/hit.ts';
import { documentId } from '../core/identity.ts';
import { inProject } from '../core/project-names.ts';
import type { Reading } from '../core/reading.ts';

/** A hit of a project as one among several: its document has another name and identity, since two may have the same path. */
export function hitIn(name: string, hit: Hit): Hit {
  return {
    ...hit,
    project: name,
    chunk: chunkIn(name, hit.document.uri, hit.chunk),
    document: documentIn(name, hit.document),
    ...(hit.alsoAt && { alsoAt: hit.alsoAt.map(({ uri, place }) => ({ uri: inProject(name, uri), place })) }),
    ...(hit.more && { more: hit.more.map((further) => hitIn(name, further)) }),
  };
}

/** A chunk of a document as one of several projects. */
export function chunkIn(name: string, uri: string, chunk: Chunk): Chunk {
  return { ...chunk, documentId: documentId(inProject(name, uri)) };
}

function documentIn(name: string, document: DocumentRecord): DocumentRecord {
  const uri = inProject(name, document.uri);
  return { ...document, uri, id: documentId(uri) };
}

/** What was read of a project, as it is named among several. */
export function readingIn(name: string, reading: Reading): Reading {
  const others = reading.others.map((other) => ({ ...other, uri: inProject(name, other.uri) }));
  return { ...reading, uri: inProject(name, reading.uri), others };
}
