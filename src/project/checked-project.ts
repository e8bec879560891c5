import { z } from 'zod';
import { checkOptions, checkValue, virtualDocumentSchema } from '../calls/call-options.ts';
import type { GraphOptions, ProjectGraph } from '../calls/graph-outcomes.ts';
import type { Project } from '../calls/project.ts';
import { QuarryError } from '../core/errors.ts';
import { requireQuery } from '../core/query.ts';

const uris = z.array(z.string().min(1));
const nameOfEmbedder = z.string().min(1).optional();

/**
 * The project as its callers get it: a call with options that it does not take, or after `close()`, fails before
 * anything is done.
 */
export function checkedProject(project: Project): Project {
  let isClosed = false;
  const requireOpen = (): void => {
    if (!isClosed) return;
    throw new QuarryError(
      'usage-invalid',
      `The project ${project.folder} is closed.`,
      'Open it again with openProject.',
    );
  };
  const whileOpen = <Value>(open: () => Promise<Value>) => {
    return async (): Promise<Value> => {
      requireOpen();
      return open();
    };
  };
  return {
    ...project,
    async *index(options) {
      requireOpen();
      yield* project.index(checkOptions('index', options));
    },
    async *freshen(options) {
      requireOpen();
      return yield* project.freshen(checkOptions('freshen', options));
    },
    async *watch(options) {
      requireOpen();
      yield* project.watch(checkOptions('watch', options));
    },
    async add(document, options) {
      requireOpen();
      checkValue('add', virtualDocumentSchema, document);
      return project.add(document, checkOptions('add', options));
    },
    async remove(...given) {
      requireOpen();
      return project.remove(...checkValue('remove', uris, given));
    },
    async adopt(options) {
      requireOpen();
      return project.adopt(checkOptions('adopt', options));
    },
    async search(query, options) {
      requireOpen();
      requireQuery(checkValue('search', z.string(), query));
      return project.search(query, checkOptions('search', options));
    },
    async read(options) {
      requireOpen();
      return project.read(checkOptions('read', options));
    },
    async context(query, options) {
      requireOpen();
      requireQuery(checkValue('context', z.string(), query));
      return project.context(query, checkOptions('context', options));
    },
    async inject(prompt, query, options) {
      requireOpen();
      checkValue('inject', z.string(), prompt);
      requireQuery(checkValue('inject', z.string(), query));
      return project.inject(prompt, query, checkOptions('inject', options));
    },
    async *ask(question, options) {
      requireOpen();
      requireQuery(checkValue('ask', z.string(), question));
      return yield* project.ask(question, checkOptions('ask', options));
    },
    graph: checkedGraph(project.graph, requireOpen),
    history: {
      isAllowed: whileOpen(project.history.isAllowed),
      async allow(isAllowed, options) {
        requireOpen();
        return project.history.allow(
          checkValue('allow', z.boolean(), isAllowed),
          checkOptions('allow', options),
        );
      },
      async lastCommits(uri, options) {
        requireOpen();
        const checked = checkOptions('lastCommits', options);
        return project.history.lastCommits(checkValue('lastCommits', named, uri), checked);
      },
    },
    async status(options) {
      requireOpen();
      return project.status(checkOptions('status', options));
    },
    async *verify(options) {
      requireOpen();
      yield* project.verify(checkOptions('verify', options));
    },
    async *repair(options) {
      requireOpen();
      return yield* project.repair(checkOptions('repair', options));
    },
    async clean(options) {
      requireOpen();
      return project.clean(checkOptions('clean', options));
    },
    async manifest(options) {
      requireOpen();
      return project.manifest(checkOptions('manifest', options));
    },
    store: whileOpen(project.store),
    async embedder(name) {
      requireOpen();
      return project.embedder(checkValue('embedder', nameOfEmbedder, name));
    },
    reranker: whileOpen(project.reranker),
    generator: whileOpen(project.generator),
    vectorCache: whileOpen(project.vectorCache),
    async close() {
      isClosed = true;
      await project.close();
    },
  };
}

const named = z.string().min(1).max(1_000);
const places = z.array(named);

function checkedGraph(graph: ProjectGraph, requireOpen: () => void): ProjectGraph {
  const asked =
    <Outcome>(ask: (name: string, options?: GraphOptions) => Promise<Outcome>) =>
    async (name: string, options?: GraphOptions): Promise<Outcome> => {
      requireOpen();
      return ask(checkValue('graph', named, name), checkOptions('graph', options));
    };
  return {
    references: asked(graph.references),
    callers: asked(graph.callers),
    callees: asked(graph.callees),
    outline: asked(graph.outline),
    related: asked(graph.related),
    async facts(given) {
      requireOpen();
      return graph.facts(checkValue('graph', places, given));
    },
    async nearTo(given) {
      requireOpen();
      return graph.nearTo(checkValue('graph', z.string(), given));
    },
    async names(given) {
      requireOpen();
      return graph.names(checkValue('graph', places, given));
    },
  };
}
