import { z } from 'zod';
import { authorsOf, resumeOf, tagsOf } from '../../core/documents/own-fields.ts';
import type { Hit } from '../../core/hit.ts';
import type { Passage } from '../../core/passage.ts';
import { whereabouts, whereaboutsOf } from './whereabouts.ts';

const chunkFields = {
  ...whereabouts,
  section: z.string().describe('Heading path or scope.'),
  relevance: z.number().min(0).max(1).describe('Likelihood that the chunk is relevant.'),
  text: z.string().optional().describe('Absent where the result has `passages`: they hold the texts.'),
  symbol: z.object({ name: z.string(), kind: z.string(), signature: z.string() }).optional(),
  focus: z
    .tuple([z.int(), z.int()])
    .optional()
    .describe(
      'First and last line of the file, within `lines`, that say most of what is asked; absent where the chunk is short or has none of the words.',
    ),
  chunk: z.string().describe('Identity of the chunk.'),
  score: z.number().describe('Ranking score; only its order has a meaning.'),
  also_at: z
    .array(z.object({ path: z.string(), ...whereabouts }))
    .optional()
    .describe('Other places with the same text.'),
  trace: z
    .array(
      z.object({
        stage: z.string(),
        rank: z.int().optional(),
        score: z.number(),
        note: z.string().optional(),
      }),
    )
    .optional()
    .describe('Rank and score of the hit at each stage; with `explain`.'),
};

/** A hit, with its document and its best chunk. */
export const hitSchema = z.object({
  project: z
    .string()
    .optional()
    .describe('The project that it is of, where several were asked: `path` and `citation` begin with it.'),
  path: z.string(),
  title: z.string(),
  type: z.string(),
  language: z.string().optional().describe('Of code, the language it is written in.'),
  written_at: z
    .string()
    .optional()
    .describe(
      'When its content changed last, or when a message was written; absent where that is not known.',
    ),
  authors: z
    .array(z.string())
    .optional()
    .describe('Who wrote it, as the document or the message says; absent where neither does.'),
  tags: z.array(z.string()).optional().describe('Its tags, where it has any.'),
  resume: z.string().optional().describe('Of a session of an agent, the command that continues it.'),
  ...chunkFields,
  occurrences: z
    .int()
    .optional()
    .describe('How often the document has the literal text or the expression; with `route` exact or regex.'),
  more: z
    .array(z.object(chunkFields))
    .optional()
    .describe('Further chunks of the same document, best first; with `by_document`.'),
});

/** A text with its place, as a search shows it. */
export const passageSchema = z.object({
  path: z.string(),
  ...whereabouts,
  section: z.string().describe('Heading path or scope.'),
  context: z
    .string()
    .describe('Signatures of the enclosing definitions, one per line; not part of the text.'),
  relevance: z.number().min(0).max(1).describe('Relevance of its most relevant hit.'),
  text: z.string(),
  tokens: z.int(),
  is_cut: z.boolean().describe('Whether the end of the text is left out because it was too long.'),
  hits: z.array(z.string()).describe('Identities of the hits in it, best first.'),
});

/** A hit as data for a surface. */
export type SearchHit = z.output<typeof hitSchema>;

/** A chunk of a hit as data for a surface. */
export type SearchChunk = NonNullable<SearchHit['more']>[number];

/** A passage as data for a surface. */
export type SearchPassage = z.output<typeof passageSchema>;

/** What is shown of each chunk. */
interface Shown {
  readonly explain: boolean;
  readonly text: boolean;
}

/** A hit as a surface gets it. */
export function hitOf(hit: Hit, shown: Shown): SearchHit {
  const { uri, title, type } = hit.document;
  return {
    ...(hit.project !== undefined && { project: hit.project }),
    path: uri,
    title,
    type,
    ...saidOfItself(hit),
    ...resumeOf(hit.document),
    ...chunkOf(hit, shown),
    ...(hit.occurrences !== undefined && { occurrences: hit.occurrences }),
    ...(hit.more && { more: hit.more.map((further) => chunkOf(further, shown)) }),
  };
}

/** The most authors and tags of one hit. */
const maxNames = 20;

/** What a document says of itself; of a mailbox, what its message says. */
function saidOfItself({
  chunk,
  document,
}: Hit): Pick<SearchHit, 'language' | 'written_at' | 'authors' | 'tags'> {
  const { place, metadata } = chunk;
  const date = place.kind === 'messages' ? Date.parse(place.last.date ?? '') : document.modifiedAt;
  const { language } = document.metadata;
  const authors = authorsOf(document.metadata, metadata).slice(0, maxNames);
  const tags = [...new Set(tagsOf(document.metadata))].slice(0, maxNames);
  return {
    ...(authors.length > 0 && { authors }),
    ...(tags.length > 0 && { tags }),
    ...(typeof language === 'string' && { language }),
    ...(date > 0 && { written_at: new Date(date).toISOString() }),
  };
}

function chunkOf(
  { chunk, document, relevance, score, alsoAt, trace, focus }: Hit,
  shown: Shown,
): SearchChunk {
  return {
    ...whereaboutsOf(document.uri, chunk.place),
    section: chunk.section,
    relevance,
    ...(shown.text && { text: chunk.text }),
    ...(chunk.symbol && {
      symbol: { name: chunk.symbol.name, kind: chunk.symbol.kind, signature: chunk.symbol.signature },
    }),
    ...(focus && { focus: [...focus] as [number, number] }),
    chunk: chunk.id,
    score,
    ...(alsoAt && {
      also_at: alsoAt.map(({ uri, place }) => ({ path: uri, ...whereaboutsOf(uri, place) })),
    }),
    ...(shown.explain && { trace: trace.map((entry) => ({ ...entry })) }),
  };
}

/** A passage as a surface gets it. */
export function passageOf(passage: Passage): SearchPassage {
  return {
    path: passage.document.uri,
    ...whereaboutsOf(passage.document.uri, passage.place),
    section: passage.section,
    context: passage.context,
    relevance: passage.relevance,
    text: passage.text,
    tokens: passage.tokens,
    is_cut: passage.isCut,
    hits: passage.hits.map(({ chunk }) => chunk.id),
  };
}
