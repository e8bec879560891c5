import type { AnswerParts } from '../../answering/answer-parts.ts';
import type { FreshenOptions, Project, ReadOptions } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { asQuarryError, interrupted, type QuarryError } from '../../core/errors.ts';
import { notIndexed } from '../../core/failures/not-indexed.ts';
import { isLiteral, usesVectors } from '../../core/query.ts';
import type { Reading } from '../../core/reading.ts';
import type { ProjectGenerator } from '../../opening/project-generator.ts';
import { resultOf } from '../../platform/streams.ts';
import type { CurrentIndex } from '../../runs/indexes/current-index.ts';
import {
  type Answered,
  answerFresh,
  type SharedFreshening,
  withFreshness,
} from '../../runs/update/freshen-project.ts';
import type { ReadingOfProject } from '../../sources/manual-texts.ts';
import { hasStateFolder } from '../../state-folder/state-folder.ts';
import type { SearchIn } from './search-project.ts';

/** What a project answers with. */
export interface AnswersParts {
  readonly files: ReadingOfProject;
  readonly store: () => Promise<Store>;
  readonly current: Pick<CurrentIndex, 'believed'>;
  readonly freshening: SharedFreshening;
  readonly searchIn: SearchIn;
  /** What every search says besides its result. */
  readonly notices: () => readonly QuarryError[];
  readonly embedder: Project['embedder'];
  readonly generator: ProjectGenerator;
}

/** Hits of a document that is read for a question. */
const hitsOfOne = 30;

/** The calls that answer from an index: how each is made is known by `retrieval` and `answering`, loaded when they are used. */
export function createAnswers(
  parts: AnswersParts,
): Pick<Project, 'search' | 'read' | 'context' | 'inject' | 'ask'> {
  const { files, store, freshening, searchIn, notices } = parts;
  const { folder, settings } = files;

  /** Answers after an update that all calls share; from a new index where the one that was asked is of somebody else. */
  const answer = async <Outcome>(
    { update: asked, vectors = true, question, signal }: FreshenOptions,
    work: () => Promise<Outcome>,
  ): Promise<Answered<Outcome>> => {
    if (signal?.aborted) throw interrupted(signal.reason);
    const update = asked ?? settings.index.on_search;
    // Who asks for the update itself waits for all of it.
    const about = asked === undefined && question ? { question } : {};
    return parts.current.believed((rebuilt) => {
      const fresh = rebuilt ?? (update ? freshening.join({ vectors, signal, ...about }) : { warnings: [] });
      return resultOf(answerFresh(fresh, work));
    }, vectors);
  };

  const answers: ReturnType<typeof createAnswers> = {
    async search(query, { update, ...options } = {}) {
      const { signal } = options;
      const find = () => searchIn(hasStateFolder(folder) ? store : undefined, query, options);
      const vectors = usesVectors(options);
      // A literal text is counted, which takes all files.
      const question = isLiteral(options.route)
        ? undefined
        : { text: query, filter: options.filter, byMeaning: vectors };
      const asked = { update, vectors, question, signal };
      const { outcome, fresh } = await answer(asked, () =>
        // The state folder may be deleted at any moment: a second look finds none, or one that a watch has made since.
        find().catch((thrown: unknown) => {
          if (asQuarryError(thrown).code !== 'store-unusable') throw thrown;
          return find();
        }),
      );
      return withFreshness(outcome, { ...fresh, warnings: [...notices(), ...fresh.warnings] });
    },
    async read({ update, ...options }) {
      const { signal } = options;
      const { outcome } = await answer({ update, vectors: false, signal }, async () => {
        if (!hasStateFolder(folder)) throw notIndexed();
        return readFrom(await store(), options);
      });
      return outcome;
    },
    async context(query, options) {
      const { writeContext } = await import('../../answering/context/write-context.ts');
      return writeContext(answerParts(), query, options);
    },
    async inject(prompt, query, { onWarning = () => {}, ...options } = {}) {
      const { injectInto } = await import('../../answering/context/write-context.ts');
      return injectInto(prompt, () => answers.context(query, options), onWarning);
    },
    async *ask(question, options) {
      const { answerQuestion } = await import('../../answering/ask/answer-question.ts');
      return yield* answerQuestion(answerParts(), question, options);
    },
  };

  const readFrom = async (asked: Store, options: Omit<ReadOptions, 'update'>): Promise<Reading> => {
    const { readStored } = await import('../../retrieval/places/read-stored.ts');
    const hitsIn = async (uri: string, question: string) => {
      const { literalGlob } = await import('../../core/globs/glob.ts');
      const filter = { paths: [literalGlob(uri)] };
      return searchIn(store, question, {
        filter,
        topK: hitsOfOne,
        byDocument: false,
        signal: options.signal,
      });
    };
    return readStored(asked, folder, options, { countTokens: await tokenCounter(), hitsIn });
  };

  const answerParts = (): AnswerParts => ({
    search: answers.search,
    embedder: () => parts.embedder(),
    generator: parts.generator,
    maxTokens: settings.context.max_tokens,
    threshold: settings.context.threshold,
    answerTokens: settings.generator.max_tokens,
    namedFiles: async (...given) =>
      (await import('../../sources/manual-texts.ts')).manualTexts(files, ...given),
    checkOnDisk: async (texts) => (await import('../../sources/check-on-disk.ts')).checkOnDisk(files, texts),
    tokenCounter,
  });
  return answers;
}

async function tokenCounter(): Promise<(text: string) => number> {
  return (await import('../../models/tokenizers/bundled.ts')).promptTokens;
}
