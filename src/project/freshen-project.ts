import { QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { observe } from '../platform/streams.ts';
import type { FreshenOptions, Freshness, Project } from './project.ts';

/**
 * Brings the index up to date before an answer: all of the text, and vectors for `index.search_seconds`; the rest stays
 * pending. While another process is writing, or the files cannot be read, what is there answers.
 */
export async function* freshenProject(
  project: Pick<Project, 'index' | 'status' | 'settings'>,
  options: FreshenOptions = {},
): AsyncGenerator<IndexEvent, Freshness> {
  const { on_search: isWanted, search_seconds: seconds } = project.settings.index;
  const warnings: QuarryError[] = [];
  if (!(options.update ?? isWanted)) return { warnings };
  const patience = new AbortController();
  const signal = options.signal ? AbortSignal.any([options.signal, patience.signal]) : patience.signal;
  let summary: IndexSummary | undefined;
  let timer: NodeJS.Timeout | undefined;
  // A query is no reason to ask a model again for what it has refused: that may cost money each time.
  const run = passOn(project.index({ signal, wait: false, passOverRefused: true }));
  try {
    yield* observe(run, (event) => {
      if (event.type === 'model-loading') timer ??= setTimeout(() => patience.abort(), seconds * 1000);
      if (event.type === 'index-end') summary = event.summary;
      if (event.type !== 'vectors-failed' && event.type !== 'root-failed') return true;
      warnings.push(event.error);
      return false;
    });
  } catch (thrown) {
    if (!(thrown instanceof QuarryError)) throw thrown;
    const isOutOfPatience = thrown.code === 'interrupted' && options.signal?.aborted !== true;
    if (thrown.code === 'store-busy' || (leavesIndex(thrown) && (await hasIndex(project))))
      warnings.push(thrown);
    else if (!isOutOfPatience) throw thrown;
  } finally {
    clearTimeout(timer);
  }
  return { ...(summary && { summary }), warnings };
}

async function* passOn(events: AsyncIterable<IndexEvent>): AsyncGenerator<IndexEvent, void> {
  yield* events;
}

/** Whether what was indexed still answers: the store cannot be written, or a root cannot be read. */
function leavesIndex({ code }: QuarryError): boolean {
  return code.startsWith('store-') || code === 'project-not-found' || code === 'file-unreadable';
}

/** Whether there is an index to answer from, whatever keeps it from being brought up to date. */
async function hasIndex(project: Pick<Project, 'status'>): Promise<boolean> {
  return project.status({ compare: false }).then(
    ({ empty }) => !empty,
    () => false,
  );
}
