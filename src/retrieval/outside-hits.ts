import type { OutsideMatch } from '../contracts/searcher.ts';
import type { QuarryError } from '../core/errors.ts';
import type { Hit } from '../core/hit.ts';
import { chunkIds, documentId, sha256 } from '../core/identity.ts';
import { queryTerms, terms } from '../core/text/terms.ts';
import type { SearchRequest } from './search-request.ts';

/** Hits of another server, or why there are none. */
export interface OutsideHits {
  readonly hits: readonly Hit[];
  readonly warnings: readonly QuarryError[];
}

/** A result with what another server found. */
export function withOutsideHits<
  Result extends { readonly hits: readonly Hit[]; readonly warnings: readonly QuarryError[] },
>(ours: Result, theirs: OutsideHits, { topK, threshold }: SearchRequest): Result {
  const relevant = theirs.hits.filter(({ relevance }) => relevance >= threshold);
  return {
    ...ours,
    hits: interleave(ours.hits, relevant, topK),
    warnings: [...ours.warnings, ...theirs.warnings],
  };
}

/** Ours and theirs in turn, ours first; their scores cannot be compared with ours. */
function interleave(own: readonly Hit[], theirs: readonly Hit[], limit: number): Hit[] {
  const mixed: Hit[] = [];
  for (let at = 0; at < Math.max(own.length, theirs.length); at += 1) {
    for (const hit of [own[at], theirs[at]]) if (hit) mixed.push(hit);
  }
  return mixed.slice(0, limit);
}

/** An answer of another server as a hit. */
export function outsideHit(
  server: string,
  { name, text, lines }: OutsideMatch,
  at: number,
  query: string,
): Hit {
  const uri = `mcp:${server}/${name}`;
  const id = documentId(uri);
  const [chunkId = ''] = chunkIds(uri, [text]);
  const place = lines
    ? ({ kind: 'lines', first: lines[0], last: lines[1] } as const)
    : ({ kind: 'keys', first: `answer ${at + 1}`, last: `answer ${at + 1}` } as const);
  return {
    chunk: {
      id: chunkId,
      documentId: id,
      ordinal: at,
      span: { start: 0, end: text.length, firstLine: 1, lastLine: text.split('\n').length },
      place,
      text,
      header: '',
      section: '',
      metadata: {},
    },
    document: {
      id,
      uri,
      title: name,
      type: 'doc',
      origin: 'unknown',
      mediaType: 'text/plain',
      revision: sha256(text),
      modifiedAt: 0,
      metadata: { server },
    },
    relevance: shareOfTerms(query, text),
    score: 0,
    trace: [{ stage: 'mcp', rank: at + 1, score: 0, note: server }],
  };
}

/** Another server says nothing that could be calibrated: this is the share of the query's words that a text holds. */
function shareOfTerms(query: string, text: string): number {
  const wanted = new Set(queryTerms(query));
  const held = new Set(terms(text));
  const found = [...wanted].filter((term) => held.has(term)).length;
  return wanted.size === 0 ? 0 : found / wanted.size;
}
