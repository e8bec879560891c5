import { z } from 'zod';
import { referenceKinds } from '../core/code-graph.ts';
import { contextFormats } from '../core/context.ts';
import { QuarryError } from '../core/errors.ts';
import { filterSchema } from '../core/filter.ts';
import { maxQueryLength } from '../core/query.ts';
import {
  globSchema,
  neighboursSchema,
  searchInput,
  shareSchema,
  tokensSchema,
  topKSchema,
} from '../core/search-options.ts';
import { camelCased } from '../core/text/camel-case.ts';
import { beginningOf } from '../core/text/shortened.ts';
import { defaultTiming } from '../indexing/watching/watch-timing.ts';
import { outsideRoots } from '../platform/contained-path.ts';
import type { Environment } from '../platform/environment.ts';

const signal = z.instanceof(AbortSignal).optional();
const waits = Object.keys(defaultTiming) as (keyof typeof defaultTiming)[];
const flag = z.boolean().optional();
const words = z.array(z.string()).readonly().optional();
const onlySignal = z.strictObject({ signal });

const { byDocument, ...searchChoices } = camelCased(searchInput);

const filter = filterSchema.extend({ paths: z.array(globSchema).readonly().optional() }).optional();

const searchFields = {
  ...searchChoices,
  filter,
  /** Whether the index is brought up to date first; `index.on_search` where absent. */
  update: flag,
  signal,
};

const contextOptions = {
  ...searchFields,
  /** How the block is written; `context` by default. */
  format: z.enum(contextFormats).optional(),
  /** Tokens of the whole block (`context.max_tokens`). */
  maxTokens: tokensSchema.optional(),
  /** Chunks shown before and after each hit; none in the formats `context` and `memory`, otherwise 1. */
  neighbours: neighboursSchema.optional(),
  /** Files of the project to show whole, before what is retrieved. */
  manual: words,
  /** Whether the texts stand between lines that only this call knows, labelled as data; true by default. */
  fence: flag,
};

const memoryFields = {
  /** Passages at most; 5 by default. */
  nResults: topKSchema.optional(),
  /** Only documents of these types. */
  docTypes: words,
  /** Least relevance; 0.3 by default. */
  minRelevance: shareSchema.optional(),
  update: flag,
  signal,
};

/** Told why something that was to be retrieved may be missing. */
const onWarning = z.custom<(warning: QuarryError) => void>((value) => typeof value === 'function').optional();

/** A question before all files are read. */
const firstQuestion = z.strictObject({
  text: z.string(),
  /** What the answer may come from. */
  filter,
  /** Whether vectors take part in the answer; true by default. */
  byMeaning: flag,
  /** Whether something else reads the rest; otherwise only the first question is answered before that. */
  restLater: flag,
});

/** The options of each public call. What a call takes is written here alone, and checked by `checkOptions`. */
export const callOptions = {
  openProject: z.strictObject({
    /** Settings that win over files and environment: `{ 'search.top_k': 10 }`, or in tables as a file has them. */
    settings: z.record(z.string(), z.unknown()).optional(),
    /** Reads variables in place of the process's own environment. */
    environment: z.custom<Environment>((value) => typeof value === 'function').optional(),
    /** Addresses (`https://api.example.com`) that the user has agreed to send the project's text to. */
    consent: words,
  }),
  search: z.strictObject({
    ...searchFields,
    byDocument,
    /**
     * For a list that is merged with others: asked once how relevant the best chunk of each document may be, best first, before
     * the work that decides only the order among them; with false that is left out.
     */
    isInReach: z
      .custom<(levels: readonly number[]) => Promise<boolean>>((value) => typeof value === 'function')
      .optional(),
    /** Asks for the hits within their surroundings too. */
    window: z
      .strictObject({
        neighbours: neighboursSchema.optional(),
        totalTokens: tokensSchema.optional(),
        passageTokens: tokensSchema.optional(),
      })
      .optional(),
    /** Asks for what is shown of the hits to people and agents too. */
    digest: z
      .strictObject({
        /** No text, but a line for each hit. */
        isBrief: flag,
        /** Chunks whose text was shown before: none of them is shown whole. */
        known: words,
        /** Chunks that stand in the same answer: they are a line each. */
        here: words,
        /** Characters of all texts together; 6,000 by default. */
        room: z.int().min(200).max(100_000).optional(),
      })
      .optional(),
  }),
  context: z.strictObject(contextOptions),
  inject: z.strictObject({
    ...contextOptions,
    onWarning,
  }),
  read: z.strictObject({
    /** A place as a search shows it, in place of the next four: `src/a.ts:10-40`, `src/a.ts#Store.put`, `report.pdf, page 3`. */
    place: z.string().min(1).optional(),
    /** The document, by its path in the project; may be absent where a symbol is named. */
    path: z.string().min(1).optional(),
    /** First and last line to read; of a format without lines, of its text. */
    lines: z
      .tuple([z.int().min(1), z.int().min(1)])
      .readonly()
      .optional(),
    /** The definition of this name. */
    symbol: z.string().min(1).optional(),
    /** The chunk of this identity. */
    chunk: z.string().min(1).optional(),
    /** Chunks to read before and after. */
    neighbours: neighboursSchema.optional(),
    maxTokens: tokensSchema.optional(),
    /** Of a long document or definition, only what answers this question, and the structure around it; the rest is folded. */
    for: z.string().max(maxQueryLength).optional(),
    /** Whether the index is brought up to date first; `index.on_search` where absent. */
    update: flag,
    signal,
  }),
  queryMemory: z.strictObject(memoryFields),
  onArrival: z.strictObject({ ...memoryFields, onWarning }),
  updateMemory: onlySignal,
  ask: z.strictObject({
    ...searchFields,
    /** Earlier turns of the conversation, oldest first. */
    history: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), content: z.string() }))
      .readonly()
      .optional(),
    /** Tokens of the sources that a model is shown (`context.max_tokens`). */
    maxTokens: tokensSchema.optional(),
    /** Files of the project to show whole, before what is retrieved. */
    manual: words,
    /** Whether of these files only the beginnings are shown, and each is quoted once where no model writes: for a summary. */
    beginnings: flag,
    /** Whether a model may write the answer, where there is one; otherwise sentences are quoted. True by default. */
    generate: flag,
    /** Whether the answer is made from the project at all; otherwise a model answers by itself. True by default. */
    retrieve: flag,
  }),
  index: z.strictObject({
    /** Read and cut every file again, whatever the index remembers; vectors of unchanged text are kept. */
    full: flag,
    /** Bring these paths, and what is below them, up to date and nothing else; relative to the project. */
    only: z.array(z.string().refine(staysInside)).readonly().optional(),
    /** Leave out what a model has refused before, and unchanged files that took too long to read. */
    passOverRefused: flag,
    /** Ends the making of vectors early, without an error: those that are missing are left for the next run. */
    giveWay: signal,
    /** Whether to wait while another process is indexing the project; otherwise that is `store-busy` after a moment. True by default. */
    wait: flag,
    /**
     * Whether to make what fast searches among very many vectors want: before the last event, begun before it and left
     * to go on, or not at all. By default before it, and never by a run that does not wait.
     */
    prepare: z.enum(['wait', 'background', 'never']).optional(),
    signal,
  }),
  allow: z.strictObject({ signal }),
  lastCommits: z.strictObject({
    /** First and last line of the file as it is now; the whole file where absent. */
    lines: z
      .tuple([z.int().min(1), z.int().min(1)])
      .readonly()
      .optional(),
    /** Commits at most; 5 by default. */
    limit: z.int().min(1).max(100).optional(),
    signal,
  }),
  graph: z.strictObject({
    /** Mentions or definitions at most; 100 by default, 20 of each kind for what is related. */
    limit: z.int().min(1).max(10_000).optional(),
    /** Only mentions of this kind. */
    kind: z.enum(referenceKinds).optional(),
    /** Whether mentions in tests count; true by default. */
    tests: flag,
    /** Whether the index is brought up to date first; `index.on_search` where absent. */
    update: flag,
    /** Whether code that the graph has not read yet is read first, for ten seconds at most; true by default. */
    fill: flag,
    signal,
  }),
  freshen: z.strictObject({
    /** Whether it is brought up to date at all; `index.on_search` where absent. */
    update: flag,
    /** Whether the answer uses vectors, so that they are worth a wait; true by default. */
    vectors: flag,
    /**
     * The question that is to be answered: where no run has read all files yet, only those that are likely to hold the
     * answer are read before it.
     */
    question: firstQuestion.optional(),
    signal,
  }),
  watch: z.strictObject({
    /** Whether nobody else uses the project: the watch then works with projects that it opens and closes. */
    isAlone: flag,
    /** Waits that differ from the usual ones. */
    timing: z.partialRecord(z.enum(waits), z.number().min(0)).optional(),
    /** Stops the watch, which then ends without an error. */
    signal,
  }),
  add: onlySignal,
  status: z.strictObject({
    /** Whether the files are looked at, by size and time; true by default. */
    compare: flag,
    signal,
  }),
  verify: onlySignal,
  adopt: onlySignal,
  repair: onlySignal,
  clean: z.strictObject({ all: flag }),
  manifest: z.strictObject({ chunks: flag }),
} as const;

/** Content added through the API. */
export const virtualDocumentSchema = z.strictObject({
  /** Names it; adding under the same name replaces. An extension (`talk.md`) decides how it is cut. */
  name: z.string().refine(isName, 'a name needs visible characters'),
  text: z.string(),
  title: z.string().optional(),
  type: z.string().min(1).optional(),
  metadata: z
    .record(
      z.string(),
      z.union([z.string(), z.number(), z.boolean(), z.null(), z.array(z.string()).readonly()]),
    )
    .optional(),
});

/** A call whose options are checked. */
export type CheckedCall = keyof typeof callOptions;

/** What a call takes, as a program writes it. */
export type OptionsOf<Call extends CheckedCall> = Readonly<z.input<(typeof callOptions)[Call]>>;

/** The options as they were given, if a call may be made with them. */
export function checkOptions<Call extends CheckedCall>(call: Call, given: unknown): OptionsOf<Call> {
  return checkValue(call, callOptions[call], given ?? {}) as OptionsOf<Call>;
}

/** The value as it was given, if it fits the schema of a call. */
export function checkValue<Schema extends z.ZodType>(
  call: string,
  schema: Schema,
  given: unknown,
): z.input<Schema> {
  const { error } = schema.safeParse(given);
  const [issue] = error?.issues ?? [];
  if (!issue) return given as z.input<Schema>;
  if (issue.code === 'unrecognized_keys') {
    const known = keysAt(schema, issue.path).join(', ');
    const [first] = issue.keys;
    throw misuse(
      `${[call, ...issue.path].join('.')} has no option ${JSON.stringify(first)}.`,
      `Use one of: ${known}.`,
    );
  }
  const place = issue.path.join('.');
  throw misuse(
    `${call}: ${place === '' ? '' : `${place} `}${shown(valueAt(given, issue.path))}: ${issue.message}.`,
    place === '' ? `Call ${call} as its type says.` : `Give ${place} a value of its type and range.`,
  );
}

function misuse(message: string, remedy: string): QuarryError {
  return new QuarryError('usage-invalid', message, remedy);
}

/** The names that an object of a schema may have at a path. */
function keysAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  let at: unknown = schema;
  for (const step of path) at = withoutOptional(at instanceof z.ZodObject ? at.shape[String(step)] : at);
  return at instanceof z.ZodObject ? Object.keys(at.shape) : [];
}

function withoutOptional(schema: unknown): unknown {
  return schema instanceof z.ZodOptional ? withoutOptional(schema.unwrap()) : schema;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => (value as Record<PropertyKey, unknown>)?.[key], given);
}

/** A value in a message: short, and as a program writes it. */
function shown(value: unknown): string {
  if (typeof value === 'number' || value === undefined) return String(value);
  return beginningOf(JSON.stringify(value) ?? typeof value, 80);
}

/** Half a surrogate pair is no character: two such names could not be told apart in a file. */
function isName(name: string): boolean {
  return name.trim() !== '' && !/\p{Cc}/u.test(name) && name.isWellFormed();
}

function staysInside(path: string): boolean {
  const error = path === '' ? undefined : outsideRoots(path);
  if (error) throw error;
  return true;
}
