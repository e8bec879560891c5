import type { Embedder } from '../contracts/embedder.ts';
import type { Store } from '../contracts/store.ts';
import { requireQuestion } from '../core/question.ts';
import type { SearchOptions, SearchOutcome } from './project.ts';
import type { Settings } from './settings.ts';

/** Searches with the project's settings where the caller gave none; a project without an index has no hits. */
export async function searchProject(
  openStore: (() => Promise<Store>) | undefined,
  openEmbedder: () => Promise<Embedder>,
  { search: defaults }: Settings,
  question: string,
  options: SearchOptions = {},
): Promise<SearchOutcome> {
  requireQuestion(question);
  if (!openStore) return { hits: [], warnings: [], pending: 0 };
  const { search } = await import('../retrieval/search.ts');
  const parts = { store: await openStore(), embedder: await openEmbedder() };
  const topK = options.topK ?? defaults.top_k;
  const result = await search(parts, {
    question,
    topK,
    candidates: Math.max(defaults.candidates, topK),
    perDocument: defaults.per_document,
    threshold: options.threshold ?? defaults.threshold,
    denseWeight: options.denseWeight ?? defaults.dense_weight,
    ...(options.filter && { filter: options.filter }),
    ...(options.signal && { signal: options.signal }),
  });
  const counts = await parts.store.counts(parts.embedder.fingerprint);
  return { ...result, pending: counts.chunks - counts.embedded };
}
