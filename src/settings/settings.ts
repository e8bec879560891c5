import { z } from 'zod';
import { origins } from '../core/document.ts';
import { asQuarryError } from '../core/errors.ts';
import { pathMatcher } from '../core/globs/glob.ts';
import { optionalStages } from '../core/query.ts';
import { possibleFrom } from '../core/relevance.ts';
import { searchDefaults, shareSchema, tokensSchema } from '../core/search-options.ts';
import { withoutWrappers } from '../core/settings/setting-text.ts';
import { sizesNames } from './chunk-sizes.ts';
import { embedderSchema, furtherEmbeddersSchema } from './embedder-settings.ts';
import { generatorSchema } from './generator-settings.ts';
import { type PresetName, presets } from './presets.ts';
import { rerankerSchema } from './reranker-settings.ts';

const megabyte = 1024 * 1024;

/** Globs that can be compiled: one that is too complex is an error of the settings, before any file is read. */
const globs = z.array(z.string().min(1)).superRefine((list, context) => {
  try {
    pathMatcher(list);
  } catch (thrown) {
    const { message, remedy } = asQuarryError(thrown);
    context.addIssue({ code: 'custom', message: message.replace(/\.$/, ''), params: { remedy } });
  }
});

/** Every setting with its default, range and meaning. Files, environment, flags and the reference come from here. */
export const settingsSchema = z.strictObject({
  enabled: z.boolean().default(true).describe('With false the project is neither indexed nor searched.'),
  preset: z
    .enum(Object.keys(presets) as [PresetName, ...PresetName[]])
    .optional()
    .describe(
      'What the folder holds, for values that suit it: source code, knowledge (documents, notes, mail), governance (rules and decisions), or the memory of an agent. What you set yourself counts more.',
    ),
  index: z
    .strictObject({
      roots: z.array(z.string().min(1)).min(1).default(['.']).describe('Folders of the project to index.'),
      include: globs
        .default([])
        .describe('Index only files with these paths, such as `docs/**` or `*.md`; empty means all.'),
      exclude: z
        .array(z.string().min(1))
        .default([])
        .describe(
          'Files and folders to leave out, written as in a .gitignore. Files with secrets are brought back by their names alone (`!.env`, `!*.pem`); in a project file that needs `quarry trust`, and so does a list without what your own settings leave out.',
        ),
      gitignore: z.boolean().default(true).describe('Leave out what .gitignore files leave out.'),
      max_file_bytes: z
        .int()
        .min(1)
        .max(1024 * megabyte)
        .default(2 * megabyte)
        .describe(
          'Files with more bytes are left out, and listed with that reason. PDF, office files, books, e-mail and notebooks hold less text than bytes, and may have 32 times as many.',
        ),
      redact_secrets: z
        .boolean()
        .default(true)
        .describe(
          'Black out keys, tokens and passwords in files before anything is kept. Only your own settings may turn this off; in a project file it needs `quarry trust`.',
        ),
      file_seconds: z
        .number()
        .min(1)
        .max(3600)
        .default(30)
        .describe(
          'The longest time that one file may take to read, in seconds; then it is listed as failed.',
        ),
      search_seconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(3)
        .describe(
          'How many seconds a search waits for the vectors of changed files before it answers. What is left then is made by `quarry index` or `quarry watch`; until that is done, searches do not wait again.',
        ),
      on_search: z.boolean().default(true).describe('Look for changed files before each search.'),
    })
    .prefault({}),
  history: z
    .strictObject({
      commits: z
        .int()
        .min(0)
        .max(1_000_000)
        .optional()
        .describe(
          'How many of the latest commits are indexed; 0 for none. Absent, it is 10,000 in a folder where `quarry index --history` was run, else none. In a project file it needs `quarry trust`, since git is run for it.',
        ),
    })
    .prefault({}),
  types: z
    .record(z.string().min(1), globs.min(1))
    .default({})
    .describe(
      'Types of documents of your own, by their paths: `adr = ["docs/adr/**"]`. They count before the built-in ones.',
    ),
  origins: z
    .partialRecord(z.enum(origins), globs.min(1))
    .default({ notes: ['**/notes/**'] })
    .describe(
      'Where documents come from, by their paths; it decides between equal hits. What matches none is `file`.',
    ),
  max_age_days: z
    .record(z.string().min(1), z.number().min(0))
    .default({ email: 60 })
    .describe('Leave out documents of a type that are older than so many days: `email = 60`.'),
  chunkers: z
    .record(z.string().min(1), globs.min(1))
    .default({})
    .describe('How files are cut, by their paths, where their type should not decide: `prose = ["*.txt"]`.'),
  chunking: z
    .strictObject({
      sizes: z
        .enum(sizesNames)
        .default('small')
        .describe(
          'How large the pieces are that texts are cut into at headings, definitions and paragraphs: `small` (about 128 tokens, code up to 512) found most where it was measured; `code` keeps definitions of up to 1024 tokens whole; `large` (about 400 tokens, at most 800) is for models that read much at once. `characters` cuts after a number of characters instead.',
        ),
      by_characters: z
        .strictObject({
          size: z.int().min(1).max(1_000_000).default(1000),
          overlap: z.int().min(0).max(999_999).default(200),
        })
        .default({ size: 1000, overlap: 200 })
        .describe(
          'With the sizes `characters`: `size`, the characters of a piece, and `overlap`, how many of them it shares with the one before.',
        ),
    })
    .prefault({}),
  embedder: embedderSchema.prefault({}),
  embedders: furtherEmbeddersSchema
    .default({})
    .describe(
      'Further embedders, which a question may choose: `[embedders.large]` with the keys of [embedder]. All are kept up to date.',
    ),
  cache: z
    .strictObject({
      max_bytes: z
        .int()
        .min(0)
        .max(2 ** 40)
        .default(1024 * megabyte)
        .describe(
          'Bytes of vectors that are kept for all projects, so that no text is embedded twice; 0 keeps none.',
        ),
    })
    .prefault({}),
  resources: z
    .strictObject({
      threads: z
        .int()
        .min(1)
        .max(256)
        .optional()
        .describe('How many processor cores Quarry may use; all by default.'),
      memory_mb: z
        .int()
        .min(128)
        .max(2 ** 24)
        .optional()
        .describe('Memory to stay below, in MiB; by default half of what the machine or container has.'),
      timeout_seconds: z
        .number()
        .min(0.1)
        .max(3600)
        .optional()
        .describe(
          'How many seconds a server of a model may leave a request without an answer, or without the next piece of one; by default 60, and 120 for what writes answers.',
        ),
    })
    .prefault({}),
  store: z
    .strictObject({
      driver: z
        .string()
        .min(1)
        .default('sqlite')
        .describe('Where the index is kept: in a file (sqlite), or in another store.'),
      collection: z
        .string()
        .min(1)
        .optional()
        .describe(
          'Name inside a shared engine; with the driver `remote`, the project on the server; with `chroma`, what its collections begin with.',
        ),
      url: z
        .string()
        .optional()
        .describe('Address of a server engine; with the driver `remote`, of a Quarry server.'),
      api_key: z
        .string()
        .optional()
        .describe(
          'Key of a server engine, a token for the driver `remote`; best kept in QUARRY_STORE_API_KEY.',
        ),
      chroma: z
        .strictObject({ tenant: z.string().optional(), database: z.string().optional() })
        .default({})
        .describe('With the driver `chroma`: `tenant` and `database` on the server.'),
      mcp: z
        .strictObject({
          server: z.string().optional(),
          tool: z.string().optional(),
          arguments: z.record(z.string(), z.unknown()).optional(),
          result: z.partialRecord(z.enum(['list', 'path', 'text']), z.string()).optional(),
        })
        .default({})
        .describe(
          'With the driver `mcp`, an MCP server whose answers stand beside our hits: `server`, its command or address (a command of a project file needs `quarry trust`, an address beyond this machine `quarry consent give`); `tool`, the one that answers searches, by default the one whose name says so; `arguments` of that tool, in which `{query}` and `{limit}` stand for both, by default by the names in its schema; `result`, where its answer has `list`, `path` and `text`, where they are not found.',
        ),
    })
    .prefault({}),
  search: z
    .strictObject({
      ...searchDefaults,
      per_document: z
        .int()
        .min(1)
        .max(1000)
        .default(3)
        .describe('How many chunks of one document are shown while other documents have hits too.'),
      off: z
        .array(z.enum(optionalStages))
        .default([])
        .describe(
          'Steps of a search to leave out: `paths` and `quotes` add files and texts that a query names, `kinds` weighs searchers by the kind of query, `rules`, `coherence` and `noise` rank, `duplicates` and `spread` thin out, `rerank` reorders the best.',
        ),
    })
    .prefault({}),
  reranker: rerankerSchema.prefault({}),
  generator: generatorSchema.prefault({}),
  context: z
    .strictObject({
      max_tokens: tokensSchema
        .default(2048)
        .describe('Maximum tokens of the texts in a prompt, counted by the bundled tokenizer.'),
      threshold: shareSchema
        .default(possibleFrom)
        .describe(
          'Texts that are less likely than this to be relevant, from 0 to 1, are put into no prompt, and no answer is made of them.',
        ),
    })
    .prefault({}),
  resident: z
    .strictObject({
      mode: z
        .enum(['auto', 'never'])
        .default('auto')
        .describe(
          'Let a command that leaves work undone start an engine in the background to finish it; never with CI=true.',
        ),
    })
    .prefault({}),
  watch: z
    .strictObject({
      interval_seconds: z
        .number()
        .min(0)
        .max(86_400)
        .default(300)
        .describe(
          'While watching, look through all files again after so many seconds, for changes that the system did not report; 0 for never.',
        ),
    })
    .prefault({}),
});

/** All settings, complete and checked. */
export type Settings = z.output<typeof settingsSchema>;

/** One leaf of the schema, as files, flags and the reference see it. */
export interface SettingField {
  /** `search.top_k`. */
  readonly key: string;
  readonly schema: z.ZodType;
  readonly description: string;
}

/** The leaves of the schema in the order they are declared. */
export function settingFields(): SettingField[] {
  return leaves(settingsSchema, '');
}

function leaves(schema: z.ZodObject, prefix: string): SettingField[] {
  return Object.entries(schema.shape).flatMap(([name, field]) => {
    const key = `${prefix}${name}`;
    const group = asGroup(field as z.ZodType);
    if (group) return leaves(group, `${key}.`);
    return [{ key, schema: field as z.ZodType, description: (field as z.ZodType).description ?? '' }];
  });
}

function asGroup(schema: z.ZodType): z.ZodObject | undefined {
  const inner = schema instanceof z.ZodPrefault ? schema.unwrap() : schema;
  return inner instanceof z.ZodObject ? inner : undefined;
}

/** Whether a setting is a table, whose entries join those of the layers below. */
export function isTable(schema: z.ZodType): boolean {
  const inner = withoutWrappers(schema);
  return inner instanceof z.ZodRecord || inner instanceof z.ZodObject;
}

/** A setting, or one entry of a setting that is a table: `search.top_k`, `store.mcp.server`, `types.adr`. */
export interface SettingPlace {
  readonly field: SettingField;
  /** The entry, where one is meant. */
  readonly entry?: string;
  /** What may be written there. */
  readonly schema: z.ZodType;
}

/** What a key means; undefined where there is no such setting. */
export function settingAt(key: string, fields: ReadonlyMap<string, SettingField>): SettingPlace | undefined {
  const field = fields.get(key);
  if (field) return { field, schema: field.schema };
  const [, prefix = '', entry = ''] = /^(.*)\.([^.]+)$/s.exec(key) ?? [];
  const table = fields.get(prefix);
  const inner = table && withoutWrappers(table.schema);
  if (inner instanceof z.ZodRecord)
    return { field: table as SettingField, entry, schema: inner.valueType as z.ZodType };
  if (!(inner instanceof z.ZodObject) || !Object.hasOwn(inner.shape, entry)) return undefined;
  return { field: table as SettingField, entry, schema: inner.shape[entry] as z.ZodType };
}

/** The entries of tables that have names of their own, like `store.mcp.server`. */
export function namedEntries({ key, schema }: SettingField): string[] {
  const inner = withoutWrappers(schema);
  return inner instanceof z.ZodObject ? Object.keys(inner.shape).map((name) => `${key}.${name}`) : [];
}
