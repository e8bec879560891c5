import type { EventData } from '../../core/events.ts';
import { shownData } from '../../core/text/shown-text.ts';
import type { Output } from './terminal/output.ts';
import type { ProgressRenderer } from './terminal/progress.ts';

/** Shows one operation on a terminal. */
export interface Renderer {
  /** Shows the result to a person. */
  render(result: never, output: Output): void;
  /** Fields of the result and its events that hold several lines; every other text is shown on one. */
  readonly texts?: readonly string[];
  /** Notes for the user when the result is written as JSON. */
  warn?(result: never, output: Output): void;
  /** Shows the events, where they are not those of a single run with one bar. */
  createProgress?(output: Output): ProgressRenderer;
  /** For what works until it is stopped: counts its events, since an engine that is left sends no result any more. */
  countEvents?(): EventCount;
}

/** What events come to. */
export interface EventCount {
  hear(event: Pick<EventData, 'type'>): void;
  /** The result, where this was all. */
  totals(): object;
}

/**
 * Loads what shows an operation, before the work begins. Results and events are cleaned before a renderer sees them:
 * nothing that a document, a path or a server says can control the terminal or pass for a line of ours.
 */
export async function loadRenderer(
  name: string,
): Promise<Required<Pick<Renderer, 'createProgress'>> & Partial<Renderer>> {
  const { createProgress: defaultProgress } = await import('./terminal/progress.ts');
  const renderer = await renderers[name]?.();
  const { render, warn, texts, countEvents, createProgress = defaultProgress } = { ...renderer };
  return {
    ...(countEvents && { countEvents }),
    ...(render && { render: (result, output) => render(shownData(result, texts), output) }),
    ...(warn && { warn: (result, output) => warn(shownData(result, texts), output) }),
    createProgress(output) {
      const { report, end } = createProgress(output);
      return { end, report: (event) => report(shownData(event, texts)) };
    },
  };
}

/** Renderers by operation, loaded when needed: help and usage errors need none. */
const renderers: Readonly<Record<string, () => Promise<Renderer>>> = {
  search: async () => ({
    render: (await import('./render/search.ts')).renderSearch,
    texts: ['text', 'context'],
  }),
  read: async () => ({ render: (await import('./render/read.ts')).renderRead, texts: ['text'] }),
  refs: async () => ({ render: (await import('./render/code-graph.ts')).renderReferences }),
  callers: async () => ({ render: (await import('./render/code-graph.ts')).renderReferences }),
  callees: async () => ({ render: (await import('./render/code-graph.ts')).renderCallees }),
  outline: async () => ({ render: (await import('./render/code-graph.ts')).renderOutline }),
  related: async () => ({ render: (await import('./render/code-graph.ts')).renderRelated }),
  ask: async () => ({
    ...(await import('./render/ask.ts')).createAskRenderer(),
    texts: ['answer', 'text'],
  }),
  context: async () => ({ render: (await import('./render/context.ts')).renderContext, texts: ['text'] }),
  memory: async () => ({ render: (await import('./render/memory.ts')).renderMemory, texts: ['block'] }),
  index: async () => ({ render: (await import('./render/reports.ts')).renderIndex }),
  'history allow': async () => ({ render: (await import('./render/reports.ts')).renderIndex }),
  'history withdraw': async () => ({ render: (await import('./render/reports.ts')).renderIndex }),
  export: async () => ({ render: (await import('./render/hand-over.ts')).renderExport }),
  import: async () => ({ render: (await import('./render/hand-over.ts')).renderImport }),
  'projects list': async () => ({ render: (await import('./render/projects.ts')).renderProjects }),
  'projects add': async () => ({ render: (await import('./render/projects.ts')).renderProjects }),
  'projects remove': async () => ({ render: (await import('./render/projects.ts')).renderProjects }),
  init: async () => ({ render: (await import('./render/upkeep.ts')).renderInit }),
  status: async () => ({ render: (await import('./render/reports.ts')).renderStatus, texts: ['answer'] }),
  overview: async () => ({
    render: (await import('./render/overview.ts')).renderOverview,
    texts: ['answer'],
  }),
  watch: async () => {
    const { createWatchProgress, renderWatch } = await import('./render/watch.ts');
    const { countWatch } = await import('../../core/watch-totals.ts');
    return { render: renderWatch, createProgress: createWatchProgress, countEvents: countWatch };
  },
  push: async () => {
    const { createPushProgress, renderPush } = await import('./render/push.ts');
    return { render: renderPush, createProgress: createPushProgress };
  },
  add: async () => ({ render: (await import('./render/content.ts')).renderAdd }),
  remove: async () => ({ render: (await import('./render/content.ts')).renderRemove }),
  'source list': async () => ({ render: (await import('./render/source.ts')).renderSources }),
  'source add': async () => ({ render: (await import('./render/source.ts')).renderSourceAdded }),
  'source remove': async () => ({ render: (await import('./render/source.ts')).renderSourceRemoved }),
  serve: async () => {
    const { createServeProgress, renderServe } = await import('./render/serve.ts');
    return { render: renderServe, createProgress: createServeProgress };
  },
  ui: async () => ({ render: (await import('./render/serve.ts')).renderUi }),
  install: async () => ({ render: (await import('./render/install.ts')).renderInstall, texts: ['text'] }),
  receipt: async () => ({ render: (await import('./render/receipt.ts')).renderReceipt }),
  uninstall: async () => ({ render: (await import('./render/install.ts')).renderInstall, texts: ['text'] }),
  'mcp install': async () => ({
    render: (await import('./render/install.ts')).renderInstall,
    texts: ['text'],
  }),
  stop: async () => ({ render: (await import('./render/serve.ts')).renderStop }),
  map: async () => ({ render: (await import('./render/map.ts')).renderMap }),
  verify: async () => ({ render: (await import('./render/upkeep.ts')).renderVerify }),
  repair: async () => ({ render: (await import('./render/upkeep.ts')).renderRepair }),
  clean: async () => ({ render: (await import('./render/upkeep.ts')).renderClean }),
  'clean all': async () => ({ render: (await import('./render/upkeep.ts')).renderClean }),
  manifest: async () => ({ render: (await import('./render/upkeep.ts')).renderManifest }),
  'store migrate': async () => ({ render: (await import('./render/store.ts')).renderMigration }),
  'model list': async () => ({ render: (await import('./render/model.ts')).renderModelList }),
  'model add': async () => ({ render: (await import('./render/model.ts')).renderModelAdd }),
  'model remove': async () => ({ render: (await import('./render/model.ts')).renderModelRemove }),
  'cache stats': async () => ({ render: (await import('./render/cache.ts')).renderCacheStats }),
  'cache export': async () => ({ render: (await import('./render/cache.ts')).renderCacheExport }),
  'cache import': async () => ({ render: (await import('./render/cache.ts')).renderCacheImport }),
  'cache clear': async () => ({ render: (await import('./render/cache.ts')).renderCacheClear }),
  'consent list': async () => ({ render: (await import('./render/consent.ts')).renderConsents }),
  'consent give': async () => ({ render: (await import('./render/consent.ts')).renderConsents }),
  'consent withdraw': async () => ({ render: (await import('./render/consent.ts')).renderWithdrawn }),
  'trust give': async () => ({ render: (await import('./render/trust.ts')).renderTrustGiven }),
  'trust show': async () => ({ render: (await import('./render/trust.ts')).renderTrust }),
  'trust withdraw': async () => ({ render: (await import('./render/trust.ts')).renderTrustWithdrawn }),
  'token list': async () => ({ render: (await import('./render/token.ts')).renderTokens }),
  'token create': async () => ({ render: (await import('./render/token.ts')).renderCreated }),
  'token revoke': async () => ({ render: (await import('./render/token.ts')).renderRevoked }),
  'config set': async () => ({
    render: (await import('./render/config.ts')).renderConfigSet,
    texts: ['before', 'after'],
  }),
  'config show': async () => ({ render: (await import('./render/reports.ts')).renderConfig }),
  doctor: async () => ({ render: (await import('./render/reports.ts')).renderDoctor }),
  eval: async () => {
    const { renderEvaluation, warnOfFloors } = await import('./render/eval.ts');
    return { render: renderEvaluation, warn: warnOfFloors, texts: ['text'] };
  },
  'report list': async () => ({ render: (await import('./render/report.ts')).renderReports }),
  'report show': async () => ({
    render: (await import('./render/eval.ts')).renderEvaluation,
    texts: ['text'],
  }),
  'report compare': async () => ({
    render: (await import('./render/report.ts')).renderReportComparison,
    texts: ['text'],
  }),
};

/** The operations that have a renderer. */
export const renderedOperations = Object.keys(renderers);
