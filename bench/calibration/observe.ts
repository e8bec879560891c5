import type { Store } from '../../src/contracts/store.ts';
import type { EvaluationSet, OpenedPart, SetPart } from '../../src/evaluation/evaluation-set.ts';
import type { JudgedQuestion } from '../../src/evaluation/labels/judgement.ts';
import { resolveLabels } from '../../src/evaluation/labels/resolve-labels.ts';
import { RecentValues } from '../../src/platform/recent-values.ts';
import { listedForCurves } from '../../src/retrieval/calibration/relevance-scale.ts';
import { type FixedSignals, fixedSignals } from '../../src/retrieval/calibration/signals.ts';
import type { Candidate } from '../../src/retrieval/candidate.ts';
import { gather } from '../../src/retrieval/gather/gather.ts';
import { analyseQuery } from '../../src/retrieval/query/analyse-query.ts';
import { rankCandidates } from '../../src/retrieval/rank-candidates.ts';
import { withoutNearDuplicates } from '../../src/retrieval/thinning/near-duplicates.ts';
import { readSet } from '../collections/read-set.ts';

/** Questions of a set about its own documents; larger sets are sampled evenly. */
const maxOwn = 320;
/** Questions of each other set, which these documents do not answer. */
const fromEachOther = 24;
/** Hits of a question that are judged. */
const judgedHits = 10;

/** What was found for one question, as far as a curve can know it. */
export interface Observation {
  readonly set: string;
  readonly space: string;
  readonly isOffTopic: boolean;
  /** Cosines of all chunks found, in their order; null where vector search did not find it. */
  readonly cosines: readonly (number | null)[];
  /** The first of them. */
  readonly hits: readonly { readonly isRelevant: boolean; readonly signals: FixedSignals }[];
}

/** How questions are asked. */
export interface ObserveOptions {
  readonly settings: Readonly<Record<string, unknown>>;
  readonly textOnly: boolean;
  readonly cacheFolder: string;
}

/** Asks the questions of all sets of their own documents, and some of them of the documents of the others. */
export async function* observe(
  folders: readonly string[],
  options: ObserveOptions,
): AsyncGenerator<Observation> {
  const sets = await Promise.all(folders.map((folder) => readSet(folder, options)));
  const vectors = new RecentValues<Float32Array>(100_000);
  for (const set of sets) {
    const share = maxOwn / questionsOf(set).length;
    for (const [index, part] of set.parts.entries()) {
      const own = spaced(part.questions, Math.ceil(part.questions.length * share));
      const foreign = sets.filter((other) => other !== set).flatMap((other) => shareOf(other, set, index));
      yield* observePart(set, part, { own, foreign }, options, vectors);
    }
  }
}

interface Asked {
  readonly own: readonly JudgedQuestion[];
  readonly foreign: readonly JudgedQuestion[];
}

async function* observePart(
  { name }: EvaluationSet,
  part: SetPart,
  { own, foreign }: Asked,
  { settings, textOnly }: ObserveOptions,
  vectors: RecentValues<Float32Array>,
): AsyncGenerator<Observation> {
  const opened = await part.open(settings);
  const { project } = opened;
  for await (const event of project.index())
    if (event.type === 'document-failed') console.error(event.uri, event.reason);
  const known = new Map((await project.manifest()).map((entry) => [entry.uri, entry]));
  const store = await project.store();
  const space = textOnly ? '' : (await project.embedder()).fingerprint;
  const ask = (text: string) => askAll(opened, store, text, textOnly, vectors);
  for (const question of own) {
    const { labels } = resolveLabels(question, opened, known);
    const isRelevant = ({ match }: Candidate) => labels.some(({ uris }) => uris.has(match.document.uri));
    if (labels.length > 0)
      yield {
        set: name,
        space,
        isOffTopic: false,
        ...observed(question.text, await ask(question.text), isRelevant),
      };
  }
  for (const { text } of foreign)
    yield { set: name, space, isOffTopic: true, ...observed(text, await ask(text), () => false) };
  await opened.close();
}

/** The list that relevance is read from, with the bounds that a project has by default. */
async function askAll(
  { project }: OpenedPart,
  store: Store,
  question: string,
  textOnly: boolean,
  vectors: RecentValues<Float32Array>,
): Promise<readonly Candidate[]> {
  const request = {
    query: question,
    topK: judgedHits,
    candidates: 60,
    perDocument: 3,
    threshold: 0,
    ...(textOnly && { denseWeight: 0 }),
  };
  const parts = { store, embedder: () => project.embedder(), vectors };
  const { query, lists } = await gather(parts, analyseQuery(question), request);
  const steps = { rules: true, coherence: true, noise: true };
  const { best } = rankCandidates(query, { admitted: [], whole: lists }, request, steps, Date.now());
  return listedForCurves(withoutNearDuplicates(best));
}

function observed(
  text: string,
  ranked: readonly Candidate[],
  isRelevant: (candidate: Candidate) => boolean,
): Pick<Observation, 'cosines' | 'hits'> {
  const signals = fixedSignals(analyseQuery(text), ranked);
  return {
    cosines: ranked.map(({ cosine }) => cosine ?? null),
    hits: ranked.slice(0, judgedHits).flatMap((candidate, place) => {
      const own = signals[place];
      return own ? [{ isRelevant: isRelevant(candidate), signals: own }] : [];
    }),
  };
}

function questionsOf({ parts }: EvaluationSet): JudgedQuestion[] {
  return parts.flatMap(({ questions }) => questions);
}

/** The part of another set's questions that is asked of one part of a set. */
function shareOf(other: EvaluationSet, { parts }: EvaluationSet, part: number): JudgedQuestion[] {
  const asked = spaced(questionsOf(other), fromEachOther * parts.length);
  return asked.filter((_, index) => index % parts.length === part);
}

function spaced<Item>(items: readonly Item[], max: number): readonly Item[] {
  if (items.length <= max) return items;
  return items.filter(
    (_, index) => Math.floor((index * max) / items.length) !== Math.floor(((index - 1) * max) / items.length),
  );
}
