import { join } from 'node:path';
import { temporaryFolder } from '../../../../../test/temporary-folder.ts';
import { draws } from '../../../../core/draws.ts';
import { chunkEntries, documentRecord } from '../../../../testing/documents.ts';
import { replaceDocument } from '../documents/replace-document.ts';
import { Connection } from '../file/connection.ts';
import { insertText } from '../text/text-index.ts';
import type { SearchLimits } from '../vectors/space-search.ts';
import { findSpace, insertVectors } from '../vectors/vectors.ts';
import { growGraph } from './grow.ts';
import { loadUsearch } from './load-usearch.ts';

/** Limits that want a graph of any vectors, on one thread. */
export const graphAlways: SearchLimits = {
  exactBytes: 1,
  memoryBytes: 2 ** 30,
  graphBytes: 2 ** 30,
  narrowChunks: 10_000,
  threads: 1,
};
/** Limits that want none. */
export const exactAlways: SearchLimits = { ...graphAlways, exactBytes: 2 ** 30 };

/** Chunks in each document of the corpus. */
export const chunksEach = 20;

/** Makes vectors that stand in groups, as those of real texts do. */
export function clusteredVectors(dimensions: number, clusters: number, seed = 1) {
  const draw = draws(seed);
  const bell = () => draw() + draw() + draw() - 1.5;
  const centres = Array.from({ length: clusters }, () => Float32Array.from({ length: dimensions }, bell));
  return (cluster = Math.floor(draw() * clusters)): Float32Array =>
    Float32Array.from(centres[cluster] ?? [], (value) => value + 0.7 * bell());
}

/** Puts a document with so many vectors into the index, in place of the one that was there. */
export async function putDocument(
  connection: Connection,
  uri: string,
  type: string,
  vectors: readonly Float32Array[],
): Promise<void> {
  const document = documentRecord(uri, { type });
  const entries = chunkEntries(
    document,
    vectors.map((vector, ordinal) => `${uri} ${ordinal} ${vector[0]}`),
  );
  await connection.write(() => {
    insertText(connection, replaceDocument(connection, document, entries).added);
    insertVectors(
      connection,
      'space',
      entries.map(({ embeddingKey }, ordinal) => ({
        embeddingKey,
        vector: vectors[ordinal] ?? new Float32Array(),
      })),
    );
  });
}

/** An index of clustered vectors, whose documents have the types `thousandth`, `hundredth`, `tenth` and `rest`. */
export async function corpus(documents: number, dimensions: number, seed = 1) {
  const path = join(await temporaryFolder(), 'index.sqlite');
  const connection = new Connection(path);
  const make = clusteredVectors(dimensions, 50, seed);
  for (let number = 0; number < documents; number += 1) {
    const vectors = Array.from({ length: chunksEach }, () => make());
    await putDocument(connection, `file${number}.md`, typeOf(number), vectors);
  }
  return { path, connection, make };
}

/** Makes the graph here: starting a thread for it, as a store does, takes longer than making it. */
export async function makeGraph(connection: Connection): Promise<void> {
  const makeIndex = loadUsearch();
  const space = await connection.read(() => findSpace(connection, 'space'));
  if (!makeIndex || !space) return;
  const { number, dimensions } = space;
  await growGraph(
    {
      database: connection.path,
      space: number,
      dimensions,
      missingBytes: 0,
      threads: 1,
      key: connection.key,
    },
    makeIndex,
  );
}

function typeOf(number: number): string {
  if (number % 1000 === 7) return 'thousandth';
  if (number % 100 === 3) return 'hundredth';
  return number % 10 === 1 ? 'tenth' : 'rest';
}
