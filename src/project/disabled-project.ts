import type { Project, UserParts } from '../calls/project.ts';
import type { AnswerOutcome } from '../core/answer.ts';
import { virtualUri } from '../core/document.ts';
import type { AnswerEvent, IndexEvent, WatchEvent } from '../core/events.ts';
import { projectDisabled } from '../core/failures/project-disabled.ts';
import { freshenProject } from '../runs/update/freshen-project.ts';
import { emptyStatus } from '../runs/upkeep/project-status.ts';
import type { ResolvedSettings } from '../settings/config.ts';

/**
 * A project with `enabled = false`: every call is a no-op, and nothing is loaded. Each says so, as a warning or an event;
 * one whose answer has no place for that fails, since an empty answer would be taken for an empty index.
 */
export function disabledProject(
  folder: string,
  { settings, origins, lowered, untrusted, retired }: ResolvedSettings,
  user: UserParts,
): Project {
  const disabled = projectDisabled(folder);
  const refuse = (): Promise<never> => Promise.reject(disabled);
  // biome-ignore lint/correctness/useYield: it only fails.
  const refuseStream = async function* (): AsyncGenerator<never, never> {
    throw disabled;
  };
  const note = { type: 'project-disabled', error: disabled } as const;
  const project: Project = {
    folder,
    settings,
    origins,
    lowered,
    untrusted,
    retired,
    ...user,
    async *index(): AsyncGenerator<IndexEvent> {
      yield note;
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
      yield note;
      yield { type: 'watch-end', passes: 0 };
    },
    add: async ({ name }) => ({ uri: virtualUri(name), replaced: false, warnings: [disabled] }),
    remove: refuse,
    adopt: async () => [],
    search: async () => ({ hits: [], warnings: [disabled], pending: 0 }),
    read: refuse,
    context: async () => ({ text: '', sources: [], tokens: 0, left: 0, warnings: [disabled], pending: 0 }),
    async inject(prompt, _query, { onWarning } = {}) {
      onWarning?.(disabled);
      return prompt;
    },
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
    history: { isAllowed: async () => false, allow: refuse, lastCommits: refuse },
    graph: {
      references: refuse,
      callers: refuse,
      callees: refuse,
      outline: refuse,
      related: refuse,
      facts: refuse,
      names: refuse,
      nearTo: refuse,
    },
    status: async () => emptyStatus(folder, '', false),
    verify: refuseStream,
    repair: refuseStream,
    clean: refuse,
    manifest: refuse,
    store: refuse,
    embedder: refuse,
    reranker: async () => undefined,
    generator: async () => undefined,
    vectorCache: async () => undefined,
    async close() {},
  };
  return project;
}
