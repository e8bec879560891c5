import type { StoreDefect } from '../contracts/store.ts';
import { virtualUri } from '../core/document.ts';
import type { AnswerEvent, IndexEvent, WatchEvent } from '../core/events.ts';
import { projectDisabled } from '../core/project-disabled.ts';
import { freshenProject } from './freshen-project.ts';
import type { IndexRepair } from './index/index-soundness.ts';
import { emptyStatus } from './index/project-status.ts';
import type { AnswerOutcome, Project, UserParts } from './project.ts';
import type { ResolvedSettings } from './settings/config.ts';

/** A project with `enabled = false`: every call is a no-op that says so, and nothing is loaded. */
export function disabledProject(
  folder: string,
  { settings, origins, lowered, untrusted }: ResolvedSettings,
  user: UserParts,
): Project {
  const disabled = projectDisabled(folder);
  const refuse = (): Promise<never> => Promise.reject(disabled);
  const project: Project = {
    folder,
    settings,
    origins,
    lowered,
    untrusted,
    ...user,
    async *index(): AsyncGenerator<IndexEvent> {
      yield {
        type: 'index-end',
        summary: {
          documents: { indexed: 0, unchanged: 0, deleted: 0, failed: 0 },
          chunks: { total: 0, written: 0, embedded: 0, cached: 0, reused: 0, pending: 0 },
          skipped: {},
          redacted: 0,
          seconds: { total: 0, embedding: 0 },
        },
      };
    },
    freshen: (options) => freshenProject(project, options),
    async *watch(): AsyncGenerator<WatchEvent> {
      yield { type: 'watch-end', passes: 0 };
    },
    add: async ({ name }) => ({ uri: virtualUri(name), replaced: false, warnings: [disabled] }),
    remove: async () => 0,
    adopt: async () => [],
    search: async () => ({ hits: [], warnings: [disabled], pending: 0 }),
    read: refuse,
    context: async () => ({ text: '', sources: [], tokens: 0, left: 0, warnings: [disabled], pending: 0 }),
    inject: async (prompt) => prompt,
    // biome-ignore lint/correctness/useYield: nothing happens, so that there is nothing to emit.
    ask: async function* (question): AsyncGenerator<AnswerEvent, AnswerOutcome> {
      return {
        answer: '',
        kind: 'none',
        query: question,
        sources: [],
        sentences: [],
        isComplete: true,
        warnings: [disabled],
        pending: 0,
      };
    },
    status: async () => emptyStatus(folder, '', false),
    verify: async function* (): AsyncGenerator<StoreDefect> {},
    // biome-ignore lint/correctness/useYield: nothing happens, so that there is nothing to emit.
    repair: async function* (): AsyncGenerator<IndexEvent, IndexRepair> {
      return { repaired: [], removed: [], lost: [], rebuilt: false };
    },
    clean: async () => ({ removed: [], bytes: 0, kept: 0 }),
    manifest: async () => [],
    store: refuse,
    embedder: refuse,
    reranker: async () => undefined,
    generator: async () => undefined,
    vectorCache: async () => undefined,
    async close() {},
  };
  return project;
}
