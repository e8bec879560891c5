import type { DriverContext } from '../contracts/driver.ts';
import type { OutsideMatch, OutsideSearcher } from '../contracts/searcher.ts';
import { asQuarryError, type QuarryError } from '../core/errors.ts';
import type { Hit } from '../core/hit.ts';
import { chunkIds, documentId, sha256 } from '../core/identity.ts';
import { queryTerms, terms } from '../core/text/terms.ts';
import { once } from '../platform/once.ts';
import type { Settings } from '../settings/settings.ts';

/** Hits of another server, or why there are none. */
export interface OutsideHits {
  readonly hits: readonly Hit[];
  readonly warnings: readonly QuarryError[];
}

/** What answers searches beside the index of a project. */
export interface Outside {
  search(query: string, limit: number, signal?: AbortSignal): Promise<OutsideHits>;
  close(): Promise<void>;
}

/** The other server that the settings name; undefined where they name none. Nothing is started before the first search. */
export function createOutside(
  { store: { driver, mcp } }: Settings,
  context: () => Promise<DriverContext>,
  /** Fails unless the user agreed to what would be run. */
  requireTrust: () => Promise<void>,
): Outside | undefined {
  if (driver !== 'mcp') return undefined;
  const opened = once(
    async (): Promise<OutsideSearcher> => {
      const { openSearcher } = await import('./open-driver.ts');
      const { arguments: template = {}, ...given } = mcp;
      const isGiven = Object.keys(template).length > 0;
      return openSearcher('mcp', { ...given, ...(isGiven && { arguments: template }) }, await context());
    },
    (searcher) => searcher.close(),
  );
  return {
    async search(query, limit, signal) {
      try {
        // Asked each time: an agreement that was withdrawn holds at once.
        await requireTrust();
        const searcher = await opened();
        const matches = await searcher.search(query, { limit, signal });
        return { hits: matches.map((match, at) => hitOf(searcher.name, match, at, query)), warnings: [] };
      } catch (thrown) {
        if (signal?.aborted) throw thrown;
        return { hits: [], warnings: [asQuarryError(thrown)] };
      }
    },
    close: () => opened.close(),
  };
}

/** Ours and theirs in turn, ours first; their scores cannot be compared with ours. */
export function interleave(own: readonly Hit[], theirs: readonly Hit[], limit: number): Hit[] {
  const mixed: Hit[] = [];
  for (let at = 0; at < Math.max(own.length, theirs.length); at += 1) {
    for (const hit of [own[at], theirs[at]]) if (hit) mixed.push(hit);
  }
  return mixed.slice(0, limit);
}

function hitOf(server: string, { name, text, lines }: OutsideMatch, at: number, query: string): Hit {
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
