import type { ProjectGraph } from '../calls/graph-outcomes.ts';
import type { Freshness, Project, ReadOptions, SearchOutcome } from '../calls/project.ts';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import type { Hit } from '../core/hit.ts';
import { inProject, splitProject } from '../core/project-names.ts';
import { searchDefaults } from '../core/search-options.ts';
import { beginningOf } from '../core/text/shortened.ts';
import type { Environment } from '../platform/environment.ts';
import { resultOf } from '../platform/streams.ts';
import { digestFor, passagesOf } from '../project/answers/search-project.ts';
import { answersOfSeveral } from './answers-of-several.ts';
import { type Answers, askEach, type Member, namedAfter } from './member.ts';
import { createReach } from './reach.ts';
import { hitIn, readingIn } from './relabel.ts';
import { severalStores } from './several-stores.ts';

/** Milliseconds that a search waits for the slowest project, and an update before it for as long again. */
const defaultPatience = 15_000;

/** Hits of a search where neither the call nor the settings of a project say it. */
const defaultHits = searchDefaults.top_k.parse(undefined);

/** How several projects are asked. */
export interface SeveralOptions {
  readonly environment: Environment;
  /** Milliseconds that a call waits for the slowest of them. */
  readonly patience?: number | undefined;
}

/** What can be asked of several projects at once. */
export type SeveralProjects = Pick<
  Project,
  'freshen' | 'search' | 'read' | 'context' | 'inject' | 'ask' | 'graph'
>;

/**
 * Several projects as one that is searched, read and asked: one list, merged by relevance, each document named
 * `PROJECT:PATH`. A project that fails costs its hits and leaves a warning with its name; only where none answers is that an
 * error. One folder under two names is asked once.
 */
export function severalProjects(
  given: readonly Member[],
  { environment, patience = defaultPatience }: SeveralOptions,
): SeveralProjects {
  const folders = new Set<string>();
  const members = given.filter(({ folder }) => !folders.has(folder) && folders.add(folder));
  const memberNamed = (name: string) => members.find((member) => member.name === name);

  const search: Project['search'] = async (query, options = {}) => {
    const { window, digest, signal, ...choices } = options;
    const reach = createReach(options.topK ?? defaultHits);
    const answers = await askEach(members, patience, signal, (project, stop) =>
      reach.among((isInReach) => project.search(query, { ...choices, isInReach, signal: stop })),
    );
    const [first] = answers.failures;
    if (answers.given.length === 0 && first) throw namedAfter(first.member, first.error);
    const lists = answers.given.map(({ member, result }) =>
      result.hits.map((hit) => hitIn(member.name, hit)),
    );
    const { mergeHits } = await import('./merge-hits.ts');
    const hits = mergeHits(
      lists,
      options.topK ?? Math.max(defaultHits, ...lists.map(({ length }) => length)),
      query,
    );
    const answering = answers.given.map(({ member }) => member);
    const store = severalStores(answering, hits);
    const analysis = analysisOf(answers.given.map(({ result }) => result));
    return {
      hits,
      warnings: warningsOf(answers),
      pending: answers.given.reduce((sum, { result }) => sum + result.pending, 0),
      ...(analysis && { analysis }),
      ...(window && { passages: await passagesOf(store, eachChunk(hits), window) }),
      ...(digest && {
        digest: await digestFor(store, query, { hits, ...(analysis && { analysis }) }, digest),
      }),
    };
  };

  return {
    async *freshen(options = {}): AsyncGenerator<never, Freshness> {
      const { given: fresh, failures } = await askEach(members, patience, options.signal, (project, signal) =>
        resultOf(project.freshen({ ...options, signal })),
      );
      // What cannot be brought up to date answers as it is, or says in its search why it does not.
      const behind = failures.map(({ member, error }) =>
        namedAfter(member, error.code === 'request-too-long' ? stillBehind(patience) : error),
      );
      const said = fresh.flatMap(({ member, result }) =>
        result.warnings.map((warning) => namedAfter(member, warning)),
      );
      return { warnings: [...said, ...behind] };
    },
    search,
    read: (options) => readOne(options),
    graph: graphOf(memberNamed),
    ...answersOfSeveral({ members, memberNamed, search, environment }),
  };

  async function readOne(options: ReadOptions) {
    const text = options.place ?? options.path ?? '';
    const named = splitProject(text, (name) => memberNamed(name) !== undefined);
    const member = named && memberNamed(named.name);
    if (!named || !member) {
      const names = members.map(({ name }) => name).join(', ');
      throw new QuarryError(
        'document-not-found',
        `"${beginningOf(text, 200)}" does not begin with the name of a project that is asked.`,
        `Write PROJECT:PLACE, with one of: ${names}.`,
      );
    }
    const own = options.place === undefined ? { path: named.rest } : { place: named.rest };
    const reading = await member
      .use((project) => project.read({ ...options, ...own }))
      .catch((thrown) => {
        throw namedAfter(member, asQuarryError(thrown));
      });
    return readingIn(member.name, reading);
  }
}

/** The outline of a file is that of its project; what else is asked of code is asked of one project. */
function graphOf(memberNamed: (name: string) => Member | undefined): ProjectGraph {
  const ofOne = (): Promise<never> =>
    Promise.reject(
      new QuarryError('usage-invalid', 'This works with one project at a time.', 'Name one project.'),
    );
  return {
    references: ofOne,
    callers: ofOne,
    callees: ofOne,
    related: ofOne,
    // They name files as their project does, which would be read as those of another one.
    facts: async (places) => places.map(() => ''),
    names: async () => [],
    nearTo: async () => [],
    async outline(path, options) {
      const named = splitProject(path, (name) => memberNamed(name) !== undefined);
      const member = named && memberNamed(named.name);
      if (!named || !member) return ofOne();
      const outline = await member.use((project) => project.graph.outline(named.rest, options));
      const entries = outline.entries.map((entry) => ({
        ...entry,
        citation: inProject(named.name, entry.citation),
      }));
      return { ...outline, entries, uri: inProject(named.name, outline.uri) };
    },
  };
}

/** A filter that one project knows nothing of leaves out its hits, as it should. */
function warningsOf({ given, failures }: Answers<SearchOutcome>): QuarryError[] {
  return [
    ...missingInAll(given.map(({ result }) => result.warnings)),
    ...given.flatMap(({ member, result }) =>
      result.warnings.filter((warning) => !isMissing(warning)).map((warning) => namedAfter(member, warning)),
    ),
    ...failures
      .filter(({ error }) => error.code !== 'usage-invalid')
      .map(({ member, error }) => namedAfter(member, error)),
  ];
}

/** Whether one project says that it has nothing where, or of the type that, a search is narrowed down to. */
function isMissing({ code }: QuarryError): boolean {
  return code === 'document-not-found';
}

/** What none of the projects has, said once; what one of them lacks another may have. */
function missingInAll(said: readonly (readonly QuarryError[])[]): QuarryError[] {
  const [first = [], ...others] = said;
  return first.filter(
    (missing) =>
      isMissing(missing) &&
      others.every((warnings) => warnings.some(({ message }) => message === missing.message)),
  );
}

/** A query is understood alike everywhere; what was counted is added up. */
function analysisOf(outcomes: readonly SearchOutcome[]): SearchOutcome['analysis'] {
  const analyses = outcomes.flatMap(({ analysis }) => analysis ?? []);
  const [first] = analyses;
  if (!first) return undefined;
  const counts = analyses.flatMap(({ occurrences }) => occurrences ?? []);
  const sum = (count: (each: (typeof counts)[number]) => number): number =>
    counts.reduce((total, each) => total + count(each), 0);
  return {
    ...first,
    ...(counts.length > 0 && {
      occurrences: {
        total: sum(({ total }) => total),
        documents: sum(({ documents }) => documents),
        isComplete: counts.every(({ isComplete }) => isComplete) && counts.length === outcomes.length,
      },
    }),
  };
}

function eachChunk(hits: readonly Hit[]): Hit[] {
  return hits.flatMap((hit) => [hit, ...(hit.more ?? [])]);
}

function stillBehind(patience: number): QuarryError {
  return new QuarryError(
    'index-stale',
    `Not brought up to date within ${patience / 1000} seconds: what is indexed answers.`,
    'Run: quarry index',
  );
}
