import { extname } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { OptionsOf } from '../../calls/call-options.ts';
import type { Source, SourceFile } from '../../contracts/source.ts';
import type { Store } from '../../contracts/store.ts';
import { originRules, typeRules } from '../../core/documents/document-type.ts';
import { asQuarryError } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import type { Filter } from '../../core/filter.ts';
import type { FirstLook } from '../../core/first-look.ts';
import { pathMatcher } from '../../core/globs/glob.ts';
import { holdingsOf } from '../../index/holdings.ts';
import { setFact } from '../../index/write.ts';
import type { Reading } from '../../indexing/read-document.ts';
import type { TextOptions } from '../../indexing/run-options.ts';
import { formatOf } from '../../reading/formats.ts';
import { languageNamed } from '../../reading/source-languages.ts';
import { resourcesOf } from '../../settings/resources.ts';
import type { Settings } from '../../settings/settings.ts';
import { lookEvery, lookedFact, patience, syncedFact } from './first-run.ts';

/** Files that are some: enough for an answer. */
const someFiles = 12;
/** What the run of a look has in common with any other and that says nothing of the answer. */
const unsaid: readonly IndexEvent['type'][] = ['index-waiting', 'vectors-paused', 'index-end'];

/** What a first look asks of the runs of a project. */
interface Runs {
  sync(options: TextOptions & { readonly wait: boolean }): AsyncGenerator<IndexEvent>;
  first(uris: readonly string[]): Promise<void> | undefined;
}

/** What a first look works with. */
export interface FirstLookParts {
  readonly settings: Settings;
  readonly store: () => Promise<Store>;
  readonly source: () => Promise<Source>;
  readonly reading: () => Promise<Reading>;
  readonly runs: Runs;
  /** Whether a question has no model to wait for. */
  readonly hasModels: () => Promise<boolean>;
  /** Gets ready meanwhile what the answer will need; that it cannot is said by the search. */
  readonly warm: (question: string) => Promise<unknown>;
}

/** A question before all files are read. */
export type FirstQuestion = NonNullable<OptionsOf<'freshen'>['question']> & {
  readonly signal?: AbortSignal | undefined;
};

/** A look for one question, which emits the events of reading. Undefined where the whole index is to be brought up to date as ever. */
export type LookFirst = (asked: FirstQuestion) => AsyncGenerator<IndexEvent, FirstLook | undefined>;

/**
 * Reads the files that are likely to hold the answer into the index, where no run has ever read all of them. They are
 * indexed like any other, by a run of their own or as the next files of the one that is under way, and are there for good.
 */
export function createFirstLook(parts: FirstLookParts): LookFirst {
  const { settings, store, source, reading, runs, hasModels, warm } = parts;
  const { lookingThreads: threads } = resourcesOf(settings);
  /** Reads in few threads. */
  const lookers = async (): Promise<Reading> => {
    const all = await reading();
    return { ...all, read: (raw, options) => all.read(raw, { ...options, threads }) };
  };
  /** Has each reader load what files of the most frequent kind are read with, while their texts are looked at. */
  const prepareReaders = async (files: readonly SourceFile[]): Promise<void> => {
    const uri = `a${mostFrequent(files.map((file) => extname(file.uri)))}`;
    const { read } = await lookers();
    const blank = () => ({
      file: { uri, size: 1, modifiedAt: 0 },
      bytes: Buffer.from('a'),
      revision: '',
      withoutGraph: true,
    });
    await Promise.all(Array.from({ length: threads }, () => read(blank())));
  };
  /** Waits for a run of all files in this process, which reads these next: whether it has by then. Undefined where there is none. */
  const readNext = async (
    files: readonly SourceFile[],
    milliseconds: number,
    signal: AbortSignal | undefined,
  ): Promise<boolean | undefined> => {
    const underWay = runs.first(files.map(({ uri }) => uri));
    if (!underWay) return undefined;
    const over = new AbortController();
    const ends = AbortSignal.any([over.signal, ...(signal ? [signal] : [])]);
    try {
      return await Promise.race([
        underWay.then(() => true),
        setTimeout(milliseconds, false, { signal: ends }),
      ]);
    } finally {
      over.abort();
    }
  };
  // What was once in sync is never looked at again: so much is remembered that no search asks the store for it.
  const synced = new WeakSet<Store>();
  const isWanted = async ({ restLater }: FirstQuestion): Promise<boolean> => {
    const opened = await store();
    if (synced.has(opened)) return false;
    const { facts } = await opened.state();
    if (facts.has(syncedFact)) synced.add(opened);
    return !facts.has(syncedFact) && (restLater === true || !facts.has(lookedFact));
  };
  return async function* lookFirst(asked) {
    if (settings.store.driver === 'mock' || !(await isWanted(asked))) return undefined;
    const { text: question, filter, byMeaning = true, signal } = asked;
    // What cannot be loaded is reported by the search that needs it.
    if (byMeaning) void warm(question).catch(() => undefined);
    const { glance } = await import('../../glance/glance.ts');
    // A reader that cannot start is met again by the run.
    const onWalked = (files: readonly SourceFile[]): void =>
      void prepareReaders(files).catch(() => undefined);
    const admits = admittedBy(filter, settings);
    const seen = await glance(await source(), { question, admits, onWalked, signal });
    // Nothing says which files are likely: all of them have to be read.
    if (seen.chosen.length === 0 || !seen.hasWords) return undefined;
    if (seen.files <= seen.chosen.length) {
      // A run of everything reads no more than that; one that is under way is waited for.
      await readNext(seen.chosen, patience.some, signal);
      return undefined;
    }
    yield* read(seen.chosen);
    const opened = await store();
    const state = await opened.state();
    // Another run has come to its end meanwhile.
    if (state.facts.has(syncedFact)) return undefined;
    const { manifest } = await holdingsOf(opened, state);
    const there = seen.chosen.filter(({ uri }) => manifest.has(uri)).length;
    if (!state.facts.has(lookedFact)) await setFact(opened, lookedFact, 'yes');
    const isRough = byMeaning && !(await hasModels());
    return { files: seen.files, lookedAt: seen.looked, read: there, isComplete: seen.isComplete, isRough };

    async function isAnyThere(chosen: readonly SourceFile[]): Promise<boolean> {
      const index = await store();
      const { manifest } = await holdingsOf(index, await index.state());
      return chosen.some(({ uri }) => manifest.has(uri));
    }

    async function* read(chosen: readonly SourceFile[]): AsyncGenerator<IndexEvent> {
      const began = performance.now();
      const spent = () => performance.now() - began;
      // While another run holds the index: as long as reading would take, longer where there would be no answer at all.
      while (spent() < patience.max) {
        const hasRead = await readNext(chosen, Math.max(lookEvery, patience.some - spent()), signal);
        if (hasRead ?? (yield* readInRun(runs, chosen, await lookers(), signal))) return;
        if (spent() > patience.some && (await isAnyThere(chosen))) return;
        await setTimeout(lookEvery, undefined, { signal });
      }
    }
  };
}

/** Reads the files in a run of their own; false where another one holds the index. */
async function* readInRun(
  runs: Runs,
  chosen: readonly SourceFile[],
  reading: Reading,
  signal: AbortSignal | undefined,
): AsyncGenerator<IndexEvent, boolean> {
  const enough = new AbortController();
  const began = performance.now();
  let read = 0;
  const endWhenLate = (): void => {
    const spent = performance.now() - began;
    if (spent > patience.max || (spent > patience.some && read >= someFiles)) enough.abort();
  };
  const clock = setInterval(endWhenLate, lookEvery);
  const signals = [enough.signal, ...(signal ? [signal] : [])];
  try {
    const run = runs.sync({
      chosen,
      reading,
      wait: false,
      passOverRefused: true,
      // The vectors of what the search finds are made by the search.
      giveWay: AbortSignal.abort(),
      signal: AbortSignal.any(signals),
    });
    for await (const event of run) {
      if (event.type === 'document-indexed') read += 1;
      if (!unsaid.includes(event.type)) yield event;
    }
    return true;
  } catch (thrown) {
    const { code } = asQuarryError(thrown);
    if (code === 'store-busy') return false;
    // What is committed by now answers.
    if (code === 'interrupted' && enough.signal.aborted && !signal?.aborted) return true;
    throw thrown;
  } finally {
    clearInterval(clock);
  }
}

function mostFrequent(values: readonly string[]): string {
  const counts = new Map<string, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0] ?? '';
}

/** Whether a file may pass a filter, as far as its path tells. */
function admittedBy(filter: Filter | undefined, settings: Settings): (uri: string) => boolean {
  const { paths, types, languages, origins } = filter ?? {};
  if (!paths && !types && !languages && !origins) return () => true;
  const matches = paths ? pathMatcher(paths) : () => true;
  const typeOf = typeRules(settings.types, (uri) => formatOf(uri).isSource);
  const originOf = originRules(settings.origins);
  return (uri) => {
    const language = languageNamed(uri);
    return (
      matches(uri) &&
      (!types || types.includes(typeOf(uri, language, undefined))) &&
      (!languages || languages.includes(language ?? '')) &&
      (!origins || origins.includes(originOf(uri)))
    );
  };
}
