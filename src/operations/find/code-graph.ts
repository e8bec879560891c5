import { z } from 'zod';
import type {
  CalleesOutcome,
  CodeMention,
  CodeSymbolPlace,
  GraphOptions,
} from '../../calls/graph-outcomes.ts';
import type { Freshness, Project } from '../../calls/project.ts';
import { referenceKinds } from '../../core/code-graph.ts';
import { errorToData } from '../../core/errors.ts';
import type { IndexEvent } from '../../core/events.ts';
import { problemSchema } from '../../core/failures/problem.ts';
import { citationOf } from '../../core/text/citation.ts';
import { defineOperation } from '../operation.ts';
import { outlineEntrySchema } from './reading-schema.ts';
import { updateField } from './retrieval.ts';

const nameField = z
  .string()
  .min(1)
  .max(1_000)
  .describe('A name, `Class.method` or `path#name`; or a place, `src/a.ts:40`, for what is defined there.');
const limitField = z.int().min(1).max(10_000).default(100).describe('How many to list at most.');
const testsField = z.boolean().default(true).describe('Whether mentions in tests count.');
const certainty = z.enum(['certain', 'possible']);

const symbolSchema = z.object({
  name: z.string().describe('With the names around it: `Store.search`.'),
  kind: z.string(),
  citation: z.string().describe('Path and lines, which `read` takes.'),
  signature: z.string(),
});
const mentionSchema = z.object({
  path: z.string(),
  line: z.int(),
  column: z.int(),
  kind: z.enum([...referenceKinds, 'text']),
  within: z.string().describe('The definition around it; empty at the level of the file.'),
  certainty: certainty.describe('`possible` where it may mean something else too.'),
  text: z.string().describe('The line.'),
});
const calleeSchema = symbolSchema.extend({
  certainty,
  called_at: z.array(z.int()).describe('Lines of the calls.'),
});

const events = async () => (await import('../../core/events.ts')).indexEventSchema;
const shared = { effect: 'reads', reach: 'project', events } as const;

const referencesOutput = z.object({
  definitions: z.array(symbolSchema).describe('Empty for a name that the project only mentions.'),
  mentions: z.array(mentionSchema).describe('Certain ones first.'),
  certain: z.int().describe('All that there are, also beyond the limit.'),
  possible: z.int(),
  warnings: z.array(problemSchema),
});

/** Lists every mention of a name. */
export const refsOperation = defineOperation({
  ...shared,
  positionals: ['name'],
  input: z.strictObject({
    name: nameField,
    kind: z.enum(referenceKinds).optional().describe('Only mentions of this kind.'),
    tests: testsField,
    limit: limitField,
    update: updateField,
  }),
  output: referencesOutput,
  examples: [
    { input: { name: 'openStore' }, explains: 'every mention of a function' },
    {
      input: { name: 'Store.search', kind: 'call', tests: false },
      explains: 'calls of a method outside of tests',
    },
  ],
  async *run(project, { name, kind, tests, limit, update }, { signal }) {
    return yield* answered(project, { update, signal }, async (fresh, options) =>
      referencesData(await project.graph.references(name, { ...options, kind, tests, limit }), fresh),
    );
  },
});

/** Lists the calls of a function, method or class. */
export const callersOperation = defineOperation({
  ...shared,
  positionals: ['name'],
  input: z.strictObject({ name: nameField, tests: testsField, limit: limitField, update: updateField }),
  output: referencesOutput,
  examples: [{ input: { name: 'openStore' }, explains: 'who calls a function' }],
  async *run(project, { name, tests, limit, update }, { signal }) {
    return yield* answered(project, { update, signal }, async (fresh, options) =>
      referencesData(await project.graph.callers(name, { ...options, tests, limit }), fresh),
    );
  },
});

/** Lists what a definition calls. */
export const calleesOperation = defineOperation({
  ...shared,
  positionals: ['name'],
  input: z.strictObject({ name: nameField, limit: limitField, update: updateField }),
  output: z.object({
    definitions: z.array(symbolSchema),
    callees: z.array(calleeSchema),
    foreign: z.array(z.string()).describe('Names that are called and not defined in the project.'),
    warnings: z.array(problemSchema),
  }),
  examples: [{ input: { name: 'openStore' }, explains: 'what a function calls' }],
  async *run(project, { name, limit, update }, { signal }) {
    return yield* answered(project, { update, signal }, async (fresh, options) => {
      const { definitions, callees, foreign, warnings } = await project.graph.callees(name, {
        ...options,
        limit,
      });
      return {
        definitions: definitions.map(symbolData),
        callees: callees.map(calleeData),
        foreign: [...foreign],
        warnings: [...fresh.warnings, ...warnings].map(errorToData),
      };
    });
  },
});

/** Lists what a file or the files of a folder define, or its headings. */
export const outlineOperation = defineOperation({
  ...shared,
  positionals: ['path'],
  input: z.strictObject({
    path: z
      .string()
      .min(1)
      .max(1_000)
      .describe('A file as a search shows it, a folder, or `.` for the project.'),
    update: updateField,
  }),
  output: z.object({
    path: z.string(),
    entries: z.array(outlineEntrySchema),
    warnings: z.array(problemSchema),
  }),
  examples: [
    { input: { path: 'src/store.ts' }, explains: 'what a file defines, with lines' },
    { input: { path: 'src' }, explains: 'what the files of a folder define, a line for each' },
  ],
  async *run(project, { path, update }, { signal }) {
    return yield* answered(project, { update, signal }, async (fresh, options) => {
      const { uri, entries, warnings } = await project.graph.outline(path, options);
      return {
        path: uri,
        entries: entries.map((entry) => ({ ...entry })),
        warnings: [...fresh.warnings, ...warnings].map(errorToData),
      };
    });
  },
});

/** Lists what belongs to a name, a place or a file. */
export const relatedOperation = defineOperation({
  ...shared,
  positionals: ['place'],
  input: z.strictObject({
    place: nameField.describe(
      'A name, a place such as `src/a.ts:40`, a whole file, or a note by its path, title or alias.',
    ),
    limit: limitField.default(20).describe('How many of each kind to list at most.'),
    update: updateField,
  }),
  output: z.object({
    definitions: z.array(symbolSchema),
    callers: z.array(mentionSchema),
    callees: z.array(calleeSchema),
    tests: z.array(z.string()).describe('Files of tests that mention it, or are named after its file.'),
    imports: z.array(z.string()).describe('Files that its file imports.'),
    imported_by: z.array(z.string()).describe('Files that import it.'),
    links: z.array(z.string()).describe('Documents that a note or page links to.'),
    linked_by: z.array(z.string()).describe('Documents that link to it.'),
    missing_links: z.array(z.string()).describe('Links to what is not in the index, as they are written.'),
    warnings: z.array(problemSchema),
  }),
  examples: [
    { input: { place: 'src/store.ts:40' }, explains: 'callers, callees and tests of what is defined there' },
    { input: { place: 'src/store.ts' }, explains: 'the files around a file, and its tests' },
    { input: { place: 'notes/rigging.md' }, explains: 'what a note links to, and what links to it' },
  ],
  async *run(project, { place, limit, update }, { signal }) {
    return yield* answered(project, { update, signal }, async (fresh, options) => {
      const found = await project.graph.related(place, { ...options, limit });
      return {
        definitions: found.definitions.slice(0, limit).map(symbolData),
        callers: found.callers.map(mentionData),
        callees: found.callees.map(calleeData),
        tests: [...found.tests],
        imports: [...found.imports],
        imported_by: [...found.importedBy],
        links: found.links.slice(0, limit),
        linked_by: found.linkedBy.slice(0, limit),
        missing_links: found.missingLinks.slice(0, limit),
        warnings: [...fresh.warnings, ...found.warnings].map(errorToData),
      };
    });
  },
});

/** Brings the text of the index up to date, then answers from the graph as it is. */
async function* answered<Outcome>(
  project: Project,
  { update, signal }: GraphOptions,
  answer: (fresh: Freshness, options: GraphOptions) => Promise<Outcome>,
): AsyncGenerator<IndexEvent, Outcome> {
  const { answerFresh } = await import('../../runs/update/freshen-project.ts');
  const freshening = project.freshen({ update, vectors: false, signal });
  const { outcome } = yield* answerFresh(freshening, (fresh) => answer(fresh, { update: false, signal }));
  return outcome;
}

function referencesData(
  { definitions, mentions, counts, warnings }: Awaited<ReturnType<Project['graph']['references']>>,
  fresh: Freshness,
): z.output<typeof referencesOutput> {
  return {
    definitions: definitions.map(symbolData),
    mentions: mentions.map(mentionData),
    ...counts,
    warnings: [...fresh.warnings, ...warnings].map(errorToData),
  };
}

function symbolData(symbol: CodeSymbolPlace): z.output<typeof symbolSchema> {
  const [first, last] = symbol.lines;
  return {
    name: nameOf(symbol),
    kind: symbol.kind,
    citation: citationOf(symbol.uri, { kind: 'lines', first, last }),
    signature: symbol.signature,
  };
}

function mentionData({
  uri,
  line,
  column,
  kind,
  within,
  certainty,
  text,
}: CodeMention): z.output<typeof mentionSchema> {
  return { path: uri, line, column, kind, within: within ? nameOf(within) : '', certainty, text };
}

function calleeData(callee: CalleesOutcome['callees'][number]): z.output<typeof calleeSchema> {
  return { ...symbolData(callee), certainty: callee.certainty, called_at: [...callee.calledAt] };
}

function nameOf({ scope, name }: CodeSymbolPlace): string {
  return [...scope, name].join('.');
}
