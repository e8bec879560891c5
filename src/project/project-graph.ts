import type { GraphOptions, ProjectGraph } from '../calls/graph-outcomes.ts';
import type { AskedGraph } from '../code/asked-graph.ts';
import { compiledGap, compiledStamp, takeCompiled } from '../code/compiled-index.ts';
import type { Source } from '../contracts/source.ts';
import type { Store } from '../contracts/store.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { notIndexed } from '../core/failures/not-indexed.ts';
import type { CodeGraph } from '../graph/code-graph.ts';
import type { Reading } from '../indexing/read-document.ts';
import type { Closable } from '../platform/close-all.ts';
import type { Environment } from '../platform/environment.ts';
import { once } from '../platform/once.ts';
import { ownKey } from '../platform/own-key.ts';
import type { RunGraph } from '../runs/index-runs.ts';
import type { CurrentIndex } from '../runs/indexes/current-index.ts';
import type { SharedFreshening } from '../runs/update/freshen-project.ts';
import type { Settings } from '../settings/settings.ts';
import { ensureStateFolder, hasStateFolder } from '../state-folder/state-folder.ts';

/** What the graph of a project works with. */
export interface ProjectGraphParts {
  readonly folder: string;
  readonly settings: Settings;
  readonly environment: Environment;
  readonly reading: () => Promise<Reading>;
  readonly openSource: () => Promise<Source>;
  readonly store: () => Promise<Store>;
}

/** What answers are made with, besides. */
export interface GraphAnswerParts {
  readonly freshening: () => SharedFreshening;
  readonly current: Pick<CurrentIndex, 'believed'>;
}

/** The graph of a project's code, opened when it is first used. */
export interface OpenedGraph extends RunGraph, Closable {
  answers(parts: GraphAnswerParts): ProjectGraph;
}

/** An answer reads code for so long that the graph lacks; the rest is read by the next one, or by a run. */
const fillMilliseconds = 10_000;

/** Nothing is opened yet. */
export function createProjectGraph(parts: ProjectGraphParts): OpenedGraph {
  const { folder, settings, environment, store } = parts;
  const opened = once(
    async (): Promise<CodeGraph> => {
      const { createCodeGraph } = await import('../graph/code-graph.ts');
      return createCodeGraph({
        stateFolder: await ensureStateFolder(folder),
        key: (await ownKey(environment)).key,
        recipe: settings.index.redact_secrets ? 'redacted' : 'whole',
      });
    },
    async (graph) => graph.close(),
  );

  const asItIs = async (index: Store) => {
    const { lagOf } = await import('../code/graph-upkeep.ts');
    const graph = await opened();
    return { graph, lag: await lagOf(index, graph) };
  };
  const filled = async (index: Store, signal: AbortSignal | undefined) => {
    const { fillGraph, lagOf } = await import('../code/graph-upkeep.ts');
    const { graph, lag } = await asItIs(index);
    await takeCompiled(graph, folder, signal);
    if (lag.missing.length === 0) return { graph, lag };
    const filling = fillGraph({
      store: index,
      graph,
      reading: await parts.reading(),
      source: await parts.openSource(),
      signal,
      until: performance.now() + fillMilliseconds,
    });
    for await (const _ of filling);
    return { graph, lag: await lagOf(index, graph) };
  };

  return {
    async sink() {
      const graph = await opened();
      // What cannot be kept now is read again when it is asked for, which then says what is wrong.
      const trying = (work: () => void): void => {
        try {
          work();
        } catch (thrown) {
          if (asQuarryError(thrown).code === 'internal') throw thrown;
        }
      };
      return {
        note: (...given) => trying(() => graph.note(...given)),
        flush: () => trying(() => graph.flush()),
      };
    },
    async *fill(index, reading, source, signal) {
      const { fillGraph } = await import('../code/graph-upkeep.ts');
      try {
        const graph = await opened();
        yield* fillGraph({ store: index, reading, source, graph, signal });
        await takeCompiled(graph, folder, signal);
      } catch (thrown) {
        // The index itself is as it should be: what is wrong with the graph is reported to those that ask it.
        if (['internal', 'interrupted', 'machine-failed'].includes(asQuarryError(thrown).code)) throw thrown;
      }
    },
    answers({ freshening, current }) {
      const answer = async <Outcome>(
        { update = settings.index.on_search, fill = true, signal }: GraphOptions,
        work: (asked: AskedGraph) => Promise<Outcome>,
      ): Promise<Outcome> =>
        current.believed(async (rebuilt) => {
          const fresh =
            rebuilt ?? (update ? await freshening().join({ vectors: false, signal }) : { warnings: [] });
          if (!hasStateFolder(folder)) throw notIndexed();
          const index = await store();
          const { graph, lag } = await (fill ? filled(index, signal) : asItIs(index));
          const total = lag.current + lag.missing.length;
          const gap = compiledGap(graph);
          const warnings = [
            ...fresh.warnings,
            ...(lag.missing.length > 0 ? [unfinished(lag.current, total)] : []),
            ...(gap ? [gap] : []),
          ];
          const isNearlyWhole = lag.missing.length <= lag.current / 100;
          const view = graph.view(lag, compiledStamp(folder));
          return work({ store: index, view, warnings, isNearlyWhole });
        });
      return lazyAnswers(answer);
    },
    close: () => opened.close(),
  };
}

type Answer = <Outcome>(
  options: GraphOptions,
  work: (asked: AskedGraph) => Promise<Outcome>,
) => Promise<Outcome>;

function lazyAnswers(answer: Answer): ProjectGraph {
  const made = () => import('../code/graph-answers.ts');
  return {
    references: (name, options = {}) =>
      answer(options, async (asked) => (await made()).referencesTo(asked, name, options)),
    callers: (name, options = {}) =>
      answer(options, async (asked) =>
        (await made()).referencesTo(asked, name, { ...options, kind: 'call' }),
      ),
    callees: (name, options = {}) =>
      answer(options, async (asked) => (await made()).calleesIn(asked, name, options)),
    outline: (path, options = {}) => answer(options, async (asked) => (await made()).outlineAt(asked, path)),
    related: (place, options = {}) =>
      answer(options, async (asked) => (await made()).relatedTo(asked, place, options)),
    facts: (places) =>
      answer({ update: false, fill: false }, async (asked) => (await made()).factsAt(asked, places)),
    nearTo: (name) =>
      answer({ update: false, fill: false }, async (asked) => (await made()).namesNear(asked, name)),
    names: (paths) =>
      answer({ update: false, fill: false }, async (asked) => (await made()).namesAt(asked, paths)),
  };
}

function unfinished(current: number, total: number): QuarryError {
  return new QuarryError(
    'index-stale',
    `The graph of the code has read ${current} of ${total} files so far: this answer may lack some.`,
    'Ask again in a moment, or run: quarry index',
  );
}
