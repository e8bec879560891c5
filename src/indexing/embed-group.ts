import type { Store, VectorEntry } from '../contracts/store.ts';
import type { TextToEmbed, VectorSource } from '../contracts/vector-source.ts';
import { embeddedText } from '../core/chunk.ts';
import { asQuarryError, interrupted, leavesText, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { createRefusals, type EmbeddingTally, refusalEvents } from './embed-missing.ts';
import type { PreparedFile } from './ingest.ts';
import { shortReason } from './refused-texts.ts';

/** So many refusals, if they are more than half of all texts, are no matter of the texts: the backend is not fit. */
const manyRefusals = 8;

/** How the vectors of a group are made. */
export interface GroupOptions {
  readonly tally: EmbeddingTally;
  readonly signal?: AbortSignal | undefined;
  readonly giveWay?: AbortSignal | undefined;
  /** Of all groups so far. */
  readonly refusals: { asked: number; refused: number };
}

/** The vectors that documents have before they are committed. */
export interface GroupVectors {
  /** What keeps the backend from making more; documents that have all of their vectors are committed all the same. */
  readonly failure: QuarryError | undefined;
  /** The new vectors of a document by space; undefined where some are missing that could still be made. */
  vectorsOf(file: PreparedFile): ReadonlyMap<string, readonly VectorEntry[]> | undefined;
  /** Remembers what was refused, once the documents are committed, and gives the events about it. */
  keepRefusals(): Promise<IndexEvent[]>;
}

/** Makes the vectors that documents lack in the spaces of these sources, and keeps them in memory. */
export async function embedGroup(
  store: Store,
  sources: readonly VectorSource[],
  files: readonly PreparedFile[],
  { tally, signal, giveWay, refusals }: GroupOptions,
): Promise<GroupVectors> {
  const ends = [signal, giveWay].filter((end) => end !== undefined);
  const texts = textsOf(files);
  const spaces: SpaceVectors[] = [];
  let failure: QuarryError | undefined;
  for (const source of sources) {
    const space = source.embedder.fingerprint;
    const present = await store.keysWithVector(space, [...texts.keys()]);
    const made: SpaceVectors = {
      space,
      present,
      vectors: new Map(),
      refusals: createRefusals(store, space),
    };
    spaces.push(made);
    if (failure || giveWay?.aborted) continue;
    const missing = [...texts].filter(([key]) => !present.has(key));
    refusals.asked += missing.length;
    failure = await embedTexts(source, missing, made, { tally, signal: AbortSignal.any(ends) }).catch(
      (thrown: unknown) => {
        const error = asQuarryError(thrown);
        if (error.code === 'interrupted' && giveWay?.aborted && !signal?.aborted) return undefined;
        if (!leavesText(error)) throw error;
        return error;
      },
    );
    refusals.refused += made.refusals.texts.length;
  }
  const isUnfit = refusals.refused >= manyRefusals && refusals.refused > refusals.asked / 2;
  const [firstRefused] = spaces.flatMap(({ refusals: { texts: refused } }) => refused);
  return {
    failure: failure ?? (isUnfit && firstRefused ? unfit(refusals, firstRefused.reason) : undefined),
    vectorsOf({ content }) {
      const vectors = new Map<string, readonly VectorEntry[]>();
      const keys = content.kind === 'document' ? content.chunks.map((chunk) => chunk.embeddingKey) : [];
      for (const made of spaces) {
        const refused = new Set(made.refusals.texts.map((text) => text.embeddingKey));
        // A text that a model refuses it would refuse again: it holds its document back only where most are refused.
        const isDone = (key: string) =>
          made.present.has(key) || made.vectors.has(key) || (refused.has(key) && !isUnfit);
        if (!keys.every(isDone)) return undefined;
        vectors.set(
          made.space,
          [...new Set(keys)].flatMap((key) => {
            const vector = made.vectors.get(key);
            return vector ? [{ embeddingKey: key, vector }] : [];
          }),
        );
      }
      return vectors;
    },
    async keepRefusals() {
      const events: IndexEvent[] = [];
      for (const { space, refusals: own } of isUnfit ? [] : spaces) {
        if (own.texts.length === 0) continue;
        await own.keep();
        events.push(...(await refusalEvents(store, space, undefined, await own.known())));
      }
      return events;
    },
  };
}

/** What one space has of a group. */
interface SpaceVectors {
  readonly space: string;
  /** Keys of texts that have their vector in the index already. */
  readonly present: ReadonlySet<string>;
  readonly vectors: Map<string, Float32Array>;
  readonly refusals: ReturnType<typeof createRefusals>;
}

/** The texts of documents by their keys, in the order of the documents. */
function textsOf(files: readonly PreparedFile[]): ReadonlyMap<string, string> {
  const texts = new Map<string, string>();
  for (const { content } of files)
    if (content.kind === 'document')
      for (const { chunk, embeddingKey } of content.chunks) texts.set(embeddingKey, embeddedText(chunk));
  return texts;
}

async function embedTexts(
  source: VectorSource,
  missing: readonly (readonly [key: string, text: string])[],
  { vectors, refusals }: SpaceVectors,
  { tally, signal }: { readonly tally: EmbeddingTally; readonly signal: AbortSignal },
): Promise<undefined> {
  if (missing.length === 0) return;
  let since = performance.now();
  const texts = async function* (): AsyncGenerator<TextToEmbed<string>> {
    for (const [owner, text] of missing) yield { text, owner };
  };
  for await (const outcome of source.vectorsFor(texts(), { signal })) {
    tally.seconds += (performance.now() - since) / 1000;
    if (signal.aborted) throw interrupted(signal.reason);
    if (outcome.kind === 'refused') {
      const { owner, error } = outcome;
      refusals.texts.push({ embeddingKey: owner, position: undefined, reason: shortReason(error.message) });
    } else {
      for (const { owner, vector } of outcome.entries) vectors.set(owner, vector);
      tally[outcome.from === 'cache' ? 'cached' : 'embedded'] += outcome.entries.length;
    }
    since = performance.now();
  }
}

function unfit({ asked, refused }: GroupOptions['refusals'], reason: string): QuarryError {
  return new QuarryError(
    'embedding-failed',
    `The model refused ${refused} of ${asked} texts, first: ${reason}`,
    'Check the settings of the embedder and the sizes of chunks, then run: quarry index',
  );
}
