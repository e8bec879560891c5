import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';
import { requireQuestion } from '../core/question.ts';
import type { SearchOptions, SearchOutcome } from './project.ts';
import { noVectors, type ProjectEmbedders } from './project-embedders.ts';
import type { Settings } from './settings.ts';

/** Searches with the project's settings where the caller gave none; a project without an index has no hits. */
export async function searchProject(
  openStore: (() => Promise<Store>) | undefined,
  embedders: ProjectEmbedders,
  { search: defaults }: Settings,
  question: string,
  options: SearchOptions = {},
): Promise<SearchOutcome> {
  requireQuestion(question);
  if (!openStore) return { hits: [], warnings: [], pending: 0 };
  const { search } = await import('../retrieval/search.ts');
  const store = await openStore();
  const { embedder: named } = options;
  const embedder = () => (named === undefined ? embedders.answering(store) : embedders.forQuestions(named));
  if (named !== undefined) await requireVectors(store, embedders, named);
  const topK = options.topK ?? defaults.top_k;
  const result = await search(
    // A question that names its embedder is not answered by another one.
    { store, embedder, ...(named === undefined && { fallback: embedders.fallback }) },
    {
      question,
      topK,
      candidates: Math.max(defaults.candidates, topK),
      perDocument: defaults.per_document,
      threshold: options.threshold ?? defaults.threshold,
      denseWeight: options.denseWeight ?? defaults.dense_weight ?? (await suitedWeight(embedder)),
      ...(options.filter && { filter: options.filter }),
      ...(options.signal && { signal: options.signal }),
    },
  );
  const space = await embedders.forQuestions(named).then(
    ({ fingerprint }) => fingerprint,
    () => undefined,
  );
  const counts = await store.counts(space);
  return { ...result, pending: counts.chunks - counts.embedded };
}

/** Half and half, unless the embedder knows better. */
function suitedWeight(embedder: () => Promise<Embedder>): Promise<number> {
  const usual = 0.5;
  return embedder().then(
    ({ denseWeight }) => denseWeight ?? usual,
    () => usual,
  );
}

/** A question that names its embedder is meant that way: an answer without its vectors would mislead. */
async function requireVectors(store: Store, embedders: ProjectEmbedders, name: string): Promise<void> {
  const { fingerprint } = await embedders.forQuestions(name);
  if ((await store.dimensions(fingerprint)) === undefined && !(await store.isEmpty())) throw noVectors(name);
}
