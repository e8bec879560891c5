// A store as the benchmark sees it, and what it is asked: every store gets the same documents and the same questions.
import { draws } from '../../src/core/draws.ts';
import { type BenchDocument, documents, makeDocument, narrowType, type Vectors, word } from './dataset.ts';
import {
  type BuildMeasures,
  effortFromNow,
  megabytesIn,
  peakMegabytes,
  type QueryMeasures,
  recall,
  residentMegabytes,
  type Truth,
  timed,
} from './measures.ts';

/** How a store is filled: documents in order, and what makes its searches fast. */
export interface Filling {
  /** Writes the documents; they may wait for others until `flush`. */
  put(document: BenchDocument): Promise<void>;
  flush(): Promise<void>;
  /** Builds the indexes that its searches want. */
  prepare(): Promise<void>;
  close(): Promise<void>;
}

/** An open store that answers. */
export interface Subject {
  /** The numbers of the nearest vectors, with the content of their chunks read; those of one type where it is named. */
  nearest(vector: Float32Array, type?: string): Promise<number[]>;
  searchText(words: readonly string[]): Promise<unknown>;
  replace(document: BenchDocument): Promise<void>;
  close(): Promise<void>;
}

export async function measureFilling(
  folder: string,
  vectors: Vectors,
  start: () => Promise<Filling>,
): Promise<BuildMeasures> {
  const filled = effortFromNow();
  const filling = await start();
  for (const document of documents(vectors)) await filling.put(document);
  await filling.flush();
  const fill = filled();
  const indexed = effortFromNow();
  await filling.prepare();
  const index = indexed();
  await filling.close();
  return { fill, index, megabytesOnDisk: megabytesIn(folder), peakMegabytes: peakMegabytes() };
}

export async function measureAnswers(
  vectors: Vectors,
  truth: Truth,
  start: () => Promise<Subject>,
): Promise<QueryMeasures> {
  const { questions } = vectors;
  const opened = effortFromNow();
  const store = await start();
  await store.nearest(questions[0] ?? new Float32Array());
  const open = opened();
  for (const question of questions.slice(0, 10)) await store.nearest(question);
  const all = await timed(questions, (question) => store.nearest(question));
  const narrow = await timed(questions, (question) => store.nearest(question, narrowType));
  const draw = draws(11);
  const words = questions.map(() => [word(draw), word(draw), word(draw)]);
  const text = await timed(words, (terms) => store.searchText(terms));
  const resident = residentMegabytes();
  const changed = questions
    .slice(0, 30)
    .map((question, number) =>
      makeDocument(number, new Array<Float32Array>(10).fill(question), draws(number + 100)),
    );
  const replace = await timed(changed, (document) => store.replace(document));
  await store.close();
  return {
    open,
    vector: all.spread,
    narrow: narrow.spread,
    text: text.spread,
    replace: replace.spread,
    recall: recall(all.results, truth.all),
    narrowRecall: recall(narrow.results, truth.narrow),
    residentMegabytes: resident,
  };
}
