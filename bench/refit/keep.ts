import { embeddedText } from '../../src/core/chunk.ts';
import { documentId } from '../../src/core/identity.ts';
import type { EvaluationSet, GivenSettings, SetPart } from '../../src/evaluation/evaluation-set.ts';
import { resolveLabels } from '../../src/evaluation/labels/resolve-labels.ts';
import { chunksOf } from '../../src/index/chunks-of.ts';
import { chunkKey } from '../../src/retrieval/candidate.ts';
import type { FoundList } from '../../src/retrieval/fuse.ts';
import { gather } from '../../src/retrieval/gather/gather.ts';
import { analyseQuery } from '../../src/retrieval/query/analyse-query.ts';
import {
  type KeptPart,
  type KeptQuestion,
  type KeptSpace,
  type Scored,
  writePart,
  writeSpace,
} from './kept.ts';

/** Milliseconds for the reranker, which may have to make what it compares. */
const budgetMs = 60_000;

/** How candidates are kept. */
export interface KeepOptions {
  readonly settings: GivenSettings;
  /** Where they are kept, and under which name; without one nothing is asked of vectors. */
  readonly folder: string;
  readonly space?: string | undefined;
}

/** Indexes every part of a set, asks its questions, and keeps what the searchers and the reranker say. */
export async function keepSet(set: EvaluationSet, options: KeepOptions): Promise<void> {
  for (const [at, part] of set.parts.entries()) {
    const name = `${set.name.replaceAll('/', '-')}-${String(at).padStart(3, '0')}`;
    const { kept, answers } = await keepPart(set.name, part, options);
    writePart(options.folder, name, kept);
    if (options.space) writeSpace(options.folder, name, options.space, { answers });
    console.error(`${name}: ${kept.chunks.length} chunks, ${kept.questions.length} questions`);
  }
}

type Answers = KeptSpace['answers'][number][];

async function keepPart(set: string, part: SetPart, { settings, space }: KeepOptions) {
  const opened = await part.open(settings);
  const { project } = opened;
  try {
    const giveWay = space ? {} : { giveWay: AbortSignal.abort() };
    for await (const event of project.index(giveWay)) if (event.type === 'vectors-failed') throw event.error;
    const store = await project.store();
    const known = new Map((await project.manifest()).map((entry) => [entry.uri, entry]));
    const documents = await store.documents();
    const chunks: KeptPart['chunks'][number][] = [];
    for (const [document, { uri }] of documents.entries())
      for (const chunk of await chunksOf(store, documentId(uri))) chunks.push({ chunk, document });
    const places = new Map(chunks.map(({ chunk }, place) => [`${chunk.documentId} ${chunk.id}`, place]));
    const scored = ({ matches }: FoundList): Scored[] =>
      matches.map((match) => [places.get(chunkKey({ match })) ?? 0, match.score]);
    const questions: KeptQuestion[] = [];
    const answers: Answers = [];
    const request = { topK: 10, candidates: 60, perDocument: 3, threshold: 0 };
    const without = space ? {} : { denseWeight: 0 };
    const parts = { store, embedder: () => project.embedder() };
    for (const question of part.questions) {
      const { labels } = resolveLabels(question, opened, known);
      if (labels.length === 0) continue;
      const asked = analyseQuery(question.text);
      const { lists } = await gather(parts, asked, { ...request, ...without, query: question.text });
      questions.push({
        id: question.id,
        text: question.text,
        ...(question.category !== undefined && { category: question.category }),
        labels: labels.map((label) => ({ ...label, uris: [...label.uris] })),
        lists: lists
          .filter(({ stage }) => stage !== 'dense')
          .map((list) => ({ stage: list.stage, matches: scored(list) })),
      });
      if (!space) continue;
      const dense = lists.filter(({ stage }) => stage === 'dense').flatMap(scored);
      const all = [...new Set(lists.flatMap(scored).map(([place]) => place))];
      const said: Scored[] = [];
      const texts = all.flatMap((place) => {
        const entry = chunks[place];
        return entry ? [embeddedText(entry.chunk)] : [];
      });
      const reranker = await project.reranker();
      const options = { budgetMs, signal: new AbortController().signal };
      for await (const batch of reranker?.score(asked.text, texts, options) ?? [])
        for (const { index, score } of batch) said.push([all[index] ?? 0, score]);
      answers.push({ dense, said });
    }
    return { kept: { set, documents, chunks, questions }, answers };
  } finally {
    await opened.close();
  }
}
