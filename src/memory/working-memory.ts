import { checkOptions, type OptionsOf } from '../calls/call-options.ts';
import type { Project } from '../calls/project.ts';
import type { ContextSource } from '../core/context.ts';
import { asQuarryError, type QuarryError } from '../core/errors.ts';
import type { IndexEvent, WatchEvent } from '../core/events.ts';
import type { Hit } from '../core/hit.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { arrivalQuery } from './arrival-query.ts';

/** A passage that an agent should have in mind. */
export interface MemoryChunk {
  readonly text: string;
  /** The uri of its document. */
  readonly path: string;
  /** Heading path, or the subject of a message. */
  readonly section: string;
  readonly docType: string;
  /** Likelihood that it is relevant, 0 to 1. */
  readonly relevance: number;
}

/** How memory is asked: `nResults` (5), `docTypes` (all) and `minRelevance` (0.3). */
export type MemoryOptions = OptionsOf<'queryMemory'>;

/** How memory is asked when something arrives. */
export type ArrivalOptions = OptionsOf<'onArrival'>;

/** A message or a task that has just come in. */
export interface Arrival {
  readonly subject: string;
  readonly body: string;
}

/** What is worth knowing when something arrives. */
export interface ArrivalMemory {
  /** Subject and beginning of the body, as memory was asked. */
  readonly query: string;
  readonly chunks: readonly MemoryChunk[];
  /** The chunks as a `<working_memory>` block for a prompt; empty where there are none. */
  readonly block: string;
}

/**
 * What an agent remembers: the files of a project, asked by meaning whenever something arrives. Where the project is
 * disabled, each call fails with `project-disabled`; `follow` emits it, and `onArrival` warns of it.
 */
export interface WorkingMemory {
  /** At the start of a session: reads what has changed since the last one. */
  updateIndex(options?: OptionsOf<'updateMemory'>): Promise<IndexSummary>;
  /** After a file was written, a message archived or the state file changed: reads that path and nothing else. */
  indexFile(path: string, options?: OptionsOf<'updateMemory'>): Promise<IndexSummary>;
  /** Reads whatever changes, as long as the session lasts. */
  follow(options: { readonly signal: AbortSignal }): AsyncIterable<WatchEvent>;
  /** The passages nearest to a text, best first. */
  queryMemory(text: string, options?: MemoryOptions): Promise<MemoryChunk[]>;
  /** The same for something that has just come in. A broken index is a warning here, and nothing is remembered. */
  onArrival(arrival: Arrival, options?: ArrivalOptions): Promise<ArrivalMemory>;
}

/** Settings of a query that names none. */
export const memoryDefaults = { nResults: 5, minRelevance: 0.3 } as const;

/** The working memory of a project; the preset `memory` gives it the usual types, and mail of the last 60 days. */
export function workingMemory(project: Project): WorkingMemory {
  const queryMemory: WorkingMemory['queryMemory'] = async (text, options) => {
    const asked = searchOptions(checkOptions('queryMemory', options));
    const { hits, warnings } = await project.search(text, { ...asked, byDocument: false });
    const disabled = warnings.find(({ code }) => code === 'project-disabled');
    if (disabled) throw disabled;
    return hits.map(chunkOfHit);
  };
  return {
    updateIndex: async (options) => summaryOf(project.index(checkOptions('updateMemory', options))),
    indexFile: async (path, options) =>
      summaryOf(project.index({ ...checkOptions('updateMemory', options), only: [path] })),
    follow: ({ signal }) => project.watch({ signal }),
    queryMemory,
    async onArrival({ subject, body }, options) {
      const { onWarning = () => {}, ...asked } = checkOptions('onArrival', options);
      const query = arrivalQuery(subject, body);
      if (query === '') return { query, chunks: [], block: '' };
      try {
        const block = await project.context(query, { ...searchOptions(asked), format: 'memory' });
        for (const warning of block.warnings) onWarning(warning);
        return { query, chunks: block.sources.map(chunkOfSource), block: block.text };
      } catch (thrown) {
        onWarning(requireOfIndex(asQuarryError(thrown)));
        return { query, chunks: [], block: '' };
      }
    },
  };
}

/** What memory is asked for, as a search is. */
export function searchOptions({ nResults, minRelevance, docTypes, ...more }: MemoryOptions) {
  return {
    ...more,
    topK: nResults ?? memoryDefaults.nResults,
    threshold: minRelevance ?? memoryDefaults.minRelevance,
    ...(docTypes && docTypes.length > 0 && { filter: { types: docTypes } }),
  };
}

/** A source of a block as memory shows it. */
export function chunkOfSource({ text, uri, section, type, relevance }: ContextSource): MemoryChunk {
  return { text, path: uri, section, docType: type, relevance: relevance ?? 1 };
}

function chunkOfHit({ chunk, document, relevance }: Hit): MemoryChunk {
  return { text: chunk.text, path: document.uri, section: chunk.section, docType: document.type, relevance };
}

/** A memory that is broken is left out; any other mistake is the caller's. */
function requireOfIndex(error: QuarryError): QuarryError {
  if (error.code.startsWith('store-') || ['lock-lost', 'machine-failed'].includes(error.code)) return error;
  throw error;
}

async function summaryOf(events: AsyncIterable<IndexEvent>): Promise<IndexSummary> {
  let summary: IndexSummary | undefined;
  for await (const event of events) {
    if (event.type === 'project-disabled') throw event.error;
    if (event.type === 'index-end') summary = event.summary;
  }
  // The last event of a run that does not fail is always this one.
  return summary as IndexSummary;
}
