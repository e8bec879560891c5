// Uses every part of the installed package once and closes none of them, for a test: `node use-parts.ts PARTS`. It writes what
// came of each part, by name, and ends by itself.
import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openProject, type Project, RAGEngine } from 'quarry';

/** A project with settings of its own, which is indexed and searched. */
export interface Part {
  readonly name: string;
  readonly settings: Readonly<Record<string, unknown>>;
  /** Files by path, in base64, beside two notes. */
  readonly files?: Readonly<Record<string, string>>;
}

const question = 'how is green tea brewed?';
const notes = {
  'tea.md': '# Tea\n\nGreen tea is brewed at eighty degrees for two minutes.\n',
  'coffee.md': '# Coffee\n\nCoffee is brewed with water at ninety degrees.\n',
};
const [given = ''] = process.argv.slice(2);
const { parts, modules } = JSON.parse(readFileSync(given, 'utf8')) as {
  readonly parts: readonly Part[];
  readonly modules: readonly string[];
};
const outcomes: Record<string, string> = {};

async function outcomeOf(name: string, use: () => Promise<unknown>): Promise<void> {
  outcomes[name] = await use().then(
    () => 'used',
    (error) => `${error.code ?? error.name}: ${error.message} ${error.cause?.message ?? ''}`,
  );
}

function expectThat(isTrue: boolean, message: unknown): void {
  if (!isTrue) throw new Error(typeof message === 'string' ? message : JSON.stringify(message));
}

async function use({ name, settings, files = {} }: Part): Promise<Project> {
  const folder = join(process.cwd(), name.replaceAll(/[^a-z-]/g, '-'));
  await mkdir(folder);
  for (const [name, text] of Object.entries(notes)) await writeFile(join(folder, name), text);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(folder, path, '..'), { recursive: true });
    await writeFile(join(folder, path), Buffer.from(content, 'base64'));
  }
  const { 'store.driver': store, 'store.url': url } = settings;
  const project = await openProject(folder, {
    settings: { 'context.threshold': 0, 'resources.threads': 1, ...settings },
    // The server that a test has started for all tests runs as a user of its own.
    ...(store === 'postgres' && { consent: [String(url)] }),
  });
  const wanted = store === 'mock' ? 0 : Object.keys({ ...notes, ...files }).length;
  for await (const event of project.index()) {
    expectThat(!/-(failed|unprepared)$/.test(event.type), event);
    if (event.type !== 'index-end') continue;
    const { documents, chunks } = event.summary;
    expectThat(documents.indexed >= wanted && chunks.pending === 0, event.summary);
  }
  const { hits, warnings } = await project.search(question);
  const found = { warnings: warnings.map(String), hits: hits.length };
  expectThat(wanted === 0 ? hits.length === 0 : warnings.length === 0 && hits.length > 0, found);
  if (name.startsWith('reranker'))
    expectThat(
      hits.some(({ trace }) => trace.some(({ stage }) => stage === 'rerank')),
      'nothing was reranked',
    );
  if (name.startsWith('searcher'))
    expectThat(
      hits.some(({ document }) => document.uri.startsWith('mcp:')),
      hits.map(({ document }) => document.uri),
    );
  if (name.startsWith('generator')) {
    const answering = project.ask(question);
    let step = await answering.next();
    while (!step.done) step = await answering.next();
    expectThat(step.value.kind === 'generated' && step.value.warnings.length === 0, step.value);
  }
  return project;
}

for (const part of parts) await outcomeOf(part.name, () => use(part));

const project = await use({ name: 'shared', settings: { 'embedder.driver': 'hashing' } });
const frameworks: Record<string, () => Promise<unknown>> = {
  'quarry/langchain': async () => {
    const { QuarryRetriever } = await import('quarry/langchain');
    return new QuarryRetriever({ project }).invoke(question);
  },
  'quarry/langgraph': async () => {
    const { searchTool } = await import('quarry/langgraph');
    return searchTool(project).invoke({ query: question });
  },
  'quarry/llamaindex': async () => {
    const { QuarryRetriever } = await import('quarry/llamaindex');
    return new QuarryRetriever({ project }).retrieve(question);
  },
  'quarry/ai-sdk': async () => {
    const { searchTool } = await import('quarry/ai-sdk');
    const { execute } = searchTool(project) as {
      execute: (input: object, options: object) => Promise<unknown>;
    };
    return execute({ query: question }, { toolCallId: '1', messages: [] });
  },
  RAGEngine: () => new RAGEngine({ enabled: true }, project.folder).search(question, 1),
};
for (const [name, found] of Object.entries(frameworks))
  await outcomeOf(name, async () => {
    const answer = JSON.stringify(await found());
    expectThat(answer.includes('eighty degrees'), answer);
  });
for (const module of modules) await outcomeOf(module, () => import(module));

process.stdout.write(JSON.stringify(outcomes));
// Only ends what hangs.
setTimeout(() => {
  throw new Error(`Something keeps the process alive: ${process.getActiveResourcesInfo()}`);
}, 120_000).unref();
