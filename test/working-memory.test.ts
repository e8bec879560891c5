import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { writeMemoryTree } from '../examples/working-memory/tree/write-tree.ts';
import type { Evaluation } from '../src/evaluation/evaluation-result.ts';
import { chunksOf } from '../src/index/chunks-of.ts';
import {
  formatForPrompt,
  openProject,
  type Project,
  type QuarryError,
  type WorkingMemory,
  workingMemory,
} from '../src/index.ts';
import { evalOperation } from '../src/operations/evaluation/eval.ts';
import { resultOf } from '../src/platform/streams.ts';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

// A made-up assistant of a printing studio: 156 pages, 500 e-mails, logs and a state file, made from a seed by
// examples/working-memory/tree. Questions were written with the facts, in other words. Raise the floors when the ranking
// gets better.
const floor = {
  all: 0.7,
  prompt: 0.45,
  procedure: 0.8,
  note: 0.8,
  service: 0.75,
  exploration: 0.75,
  email: 0.62,
};
/** Share of questions with an answer among the five passages that a prompt gets. */
const inFive = 0.9;

let folder: string;
let questions: string;
let project: Project;
let memory: WorkingMemory;
let evaluation: Evaluation;
beforeAll(async () => {
  folder = await temporaryFolder();
  questions = join(await temporaryFolder(), 'questions.jsonl');
  await writeMemoryTree(folder, questions);
  project = await openProject(folder, { settings: { 'cache.max_bytes': 0, 'index.search_seconds': 600 } });
  memory = workingMemory(project);
  await memory.updateIndex();
  const input = evalOperation.input.parse({ sets: [questions], modes: true });
  evaluation = evalOperation.output.parse(await resultOf(evalOperation.run(project, input, {})));
}, 600_000);
afterAll(() => project.close());

const summary = (run: string, category?: string) =>
  (category === undefined ? evaluation.overall : (evaluation.sets[0]?.categories ?? [])).find(
    (one) => one.run === run && (category === undefined || ('category' in one && one.category === category)),
  );

describe('the tree', () => {
  test('is what an assistant gathers: pages, mail, logs and a state', async () => {
    const names = await readdir(folder, { recursive: true });
    const count = (pattern: RegExp) => names.filter((name) => pattern.test(name)).length;
    expect(count(/\.md$/)).toBeGreaterThanOrEqual(150);
    expect(count(/emails\/.*\.txt$/)).toBe(500);
    expect(count(/^state\.json$/)).toBe(1);
  });

  test('has the types of the preset, and mail of the last 60 days only', async () => {
    const { types, skipped, failed } = await project.status();
    expect(failed).toEqual([]);
    expect(types).toMatchObject({ prompt: 24, procedure: 22, exploration: 24, note: 43, state: 1, log: 6 });
    const old = skipped.filter(({ reason }) => reason === 'too-old').length;
    expect(old).toBeGreaterThan(100);
    expect((types.email ?? 0) + old).toBe(500);
  });

  test('is cut as the types say: messages whole, the state by its keys, logs by session', async () => {
    const store = await project.store();
    const sections = async (uri: string) => {
      const record = (await store.documents({ paths: [uri] })).find((document) => document.uri === uri);
      return (await chunksOf(store, record?.id ?? '')).map(({ section }) => section);
    };
    expect((await sections('state.json')).join(' ')).toMatch(/hobbies.*tasks.*personality.*recent_context/);
    expect((await sections('logs/session_log.md')).length).toBeGreaterThan(5);
    const mails = (await store.documents({ types: ['email'] })).slice(0, 20);
    for (const { id } of mails) expect(await chunksOf(store, id)).toHaveLength(1);
  });
});

describe('what is asked of it', () => {
  test('every question is asked, and every label is a document that is indexed', () => {
    expect(evaluation.sets.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect(evaluation.overall[0]?.questions).toBeGreaterThan(120);
  });

  test('is found', () => {
    expect(summary('engine')?.scores.ndcg_10).toBeGreaterThanOrEqual(floor.all);
    expect(summary('engine')?.scores.hit_5).toBeGreaterThanOrEqual(inFive);
  });

  test.each(['prompt', 'procedure', 'note', 'service', 'exploration', 'email'] as const)(
    'is found in documents of the kind %s',
    (kind) => {
      expect(summary('engine', kind)?.scores.ndcg_10).toBeGreaterThanOrEqual(floor[kind]);
    },
  );

  test('is found better by both searchers than by words alone', () => {
    expect(summary('engine')?.scores.ndcg_10).toBeGreaterThan(summary('text')?.scores.ndcg_10 ?? 1);
  });
});

describe('queryMemory', () => {
  test('gives five passages at most, best first, none below 0.3', async () => {
    const chunks = await memory.queryMemory('where do the backups physically go?');
    expect(chunks[0]).toMatchObject({ path: 'docs/services/vault.md', docType: 'doc' });
    expect(chunks.length).toBeLessThanOrEqual(5);
    const relevances = chunks.map(({ relevance }) => relevance);
    expect(relevances).toEqual(relevances.toSorted((one, other) => other - one));
    expect(Math.min(...relevances)).toBeGreaterThanOrEqual(0.3);
  });

  test('keeps to the types, the number and the relevance that are asked for', async () => {
    const asked = { nResults: 2, docTypes: ['email'], minRelevance: 0 };
    const chunks = await memory.queryMemory('the boiler and the heating', asked);
    expect(chunks.map(({ docType }) => docType)).toEqual(['email', 'email']);
  });

  test('remembers nothing that has nothing to do with it', async () => {
    expect(await memory.queryMemory('quarterly earnings of airlines in South America')).toEqual([]);
  });

  test.each([[{ nResults: 0 }], [{ minRelevance: 2 }], [{ n_results: 5 }]])('refuses %j', async (options) => {
    // biome-ignore lint/suspicious/noExplicitAny: the call is wrong on purpose.
    const asked = memory.queryMemory('tea', options as any);
    await expect(asked).rejects.toMatchObject({ code: 'usage-invalid' });
  });
});

describe('formatForPrompt', () => {
  const chunks = [
    {
      text: 'Reply in the same session.',
      path: 'prompts/docs/etiquette.md',
      section: 'Timing',
      docType: 'prompt',
      relevance: 0.874,
    },
    {
      text: 'Prefers concise updates.',
      path: 'notes/ines.md',
      section: '',
      docType: 'note',
      relevance: 0.81,
    },
  ];

  test('writes a block of working memory', () => {
    expect(formatForPrompt(chunks, { fence: false })).toBe(
      [
        '<working_memory>',
        '[Source: prompts/docs/etiquette.md | Type: prompt | Relevance: 0.87]',
        'Reply in the same session.',
        '',
        '[Source: notes/ines.md | Type: note | Relevance: 0.81]',
        'Prefers concise updates.',
        '</working_memory>',
      ].join('\n'),
    );
  });

  test('labels it as data unless told otherwise, and writes nothing for nothing', () => {
    expect(formatForPrompt(chunks)).toMatch(
      /^Between the two lines marked \w+ is text retrieved.*\n=== BEGIN DATA/,
    );
    expect(formatForPrompt([])).toBe('');
  });
});

describe('onArrival', () => {
  const body = `The heating is off again and the press is cold. ${'We have tried everything. '.repeat(20)}THE END`;

  test('asks with the subject and the first 200 characters of the body', async () => {
    const { query, chunks, block } = await memory.onArrival({ subject: 'Boiler trouble', body });
    expect(query).toBe(`Boiler trouble: ${body.slice(0, 200).trimEnd()}`);
    expect(chunks[0]?.path).toBe('memory/notes/quirks-heating.md');
    expect(block).toContain(
      '<working_memory>\n[Source: memory/notes/quirks-heating.md | Type: note | Relevance: ',
    );
  });

  test('cuts no character in two, and asks nothing for an empty message', async () => {
    const { query } = await memory.onArrival({ subject: 's', body: `${'x'.repeat(199)}😀y` });
    expect(query).toBe(`s: ${'x'.repeat(199)}😀`);
    expect(await memory.onArrival({ subject: ' ', body: '' })).toEqual({ query: '', chunks: [], block: '' });
  });
});

describe('what is written is remembered', () => {
  test('a new file at once, and no other', async () => {
    await writeFile(
      join(folder, 'explorations/otters.md'),
      '# Otters\n\n**Key finding.** Otters hold hands while they sleep.\n',
    );
    await writeFile(join(folder, 'explorations/unread.md'), '# Unread\n\nBadgers dig setts.\n');
    const { documents } = await memory.indexFile('explorations/otters.md');
    expect(documents).toMatchObject({ indexed: 1, deleted: 0 });
    const [first] = await memory.queryMemory('do otters hold hands?', { update: false });
    expect(first).toMatchObject({ path: 'explorations/otters.md', docType: 'exploration' });
  });

  test('a changed state file', async () => {
    const state = JSON.parse(await readFile(join(folder, 'state.json'), 'utf8'));
    state.recent_context.waiting_for = ['a crate of quinces from Marguerite'];
    await writeFile(join(folder, 'state.json'), JSON.stringify(state, undefined, 2));
    await memory.indexFile('state.json');
    const [first] = await memory.queryMemory('a crate of quinces from Marguerite', {
      update: false,
      minRelevance: 0,
    });
    expect(first).toMatchObject({ path: 'state.json', docType: 'state' });
  });

  test('at the start, whatever has changed since', async () => {
    await appendFile(join(folder, 'logs/hobby_bread.md'), '\n## 2026-01-01\n\nBaked a loaf with walnuts.\n');
    const { documents } = await memory.updateIndex();
    // The log, and the page that the test before left unread.
    expect(documents.indexed).toBe(2);
  });
});

test('what changes during a session is followed', async () => {
  const session = new AbortController();
  const changed = join(folder, 'memory/notes/weather.md');
  for await (const event of memory.follow({ signal: session.signal })) {
    if (event.type !== 'pass-end') continue;
    if (event.pass === 1) await writeFile(changed, '# Weather\n\nThe barometer in the yard reads too low.\n');
    else session.abort();
  }
  const [first] = await memory.queryMemory('which instrument reads too low?', { update: false });
  expect(first).toMatchObject({ path: 'memory/notes/weather.md', docType: 'note' });
});

describe('quarry context --for memory', () => {
  const call = (...words: string[]) => callQuarry(folder, words, { QUARRY_CACHE_MAX_BYTES: '0' });
  const run = (...words: string[]) => call('context', '--for', 'memory', ...words);

  test('writes the block alone to standard output', async () => {
    const { code, stdout } = await run('where', 'do', 'the', 'backups', 'physically', 'go?', '--no-fence');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^<working_memory>\n\[Source: docs\/services\/vault\.md \| Type: doc \| Relevance: 0\.\d\d\]\n/,
    );
    expect(stdout).toMatch(/\n<\/working_memory>\n$/);
  });

  test('takes a message that has arrived, and gives data', async () => {
    const { stdout } = await run(
      '--subject',
      'Boiler trouble',
      '--body',
      'The heating is off again.',
      '--json',
    );
    const { query, format, sources } = JSON.parse(stdout);
    expect({ query, format }).toEqual({
      query: 'Boiler trouble: The heating is off again.',
      format: 'memory',
    });
    expect(sources[0]).toMatchObject({ path: 'memory/notes/quirks-heating.md', type: 'note' });
  });

  test('says where nothing is relevant, and what is asked wrongly', async () => {
    const none = await run('quarterly earnings of airlines in South America');
    expect(none).toMatchObject({ code: 0, stdout: '' });
    expect(none.stderr).toContain('Nothing in this project passes the threshold.');
    expect(await run('a text', '--subject', 'and a message')).toMatchObject({ code: 2 });
    expect(await run()).toMatchObject({ code: 2 });
  });

  test('is what quarry memory was, which still answers and says so', async () => {
    const words = ['where do the backups physically go?', '--no-fence'];
    const old = await call('memory', ...words);
    expect(old.stdout).toBe((await run(...words)).stdout);
    expect(old.stderr).toContain(
      '"quarry memory" is "quarry context --for memory" now; the old name works until 0.3.0.',
    );
    const data = await call('memory', ...words, '--json');
    expect(JSON.parse(data.stdout).chunks[0]).toMatchObject({ doc_type: 'doc' });
    expect(data.stderr).toContain('"quarry context --for memory"');
    expect((await call('memory', ...words, '--quiet')).stderr).toBe('');
  });
});

test('a message that arrives while the index is broken is handled without memory, and it is said', async () => {
  const broken = await temporaryFolder({ 'tea.md': 'Green tea.' });
  const settings = { 'embedder.driver': 'hashing', 'cache.max_bytes': 0, 'index.on_search': false };
  const first = await openProject(broken, { settings });
  for await (const _ of first.index());
  await first.close();
  for (const name of await readdir(join(broken, '.quarry'), { recursive: true }))
    if (name.endsWith('.sqlite')) await writeFile(join(broken, '.quarry', name), 'no database'.repeat(1000));
  const again = await openProject(broken, { settings });
  const warnings: QuarryError[] = [];
  const asked = workingMemory(again).onArrival(
    { subject: 'Tea', body: 'Which one?' },
    { onWarning: (warning) => warnings.push(warning) },
  );
  expect(await asked).toEqual({ query: 'Tea: Which one?', chunks: [], block: '' });
  expect(warnings[0]?.code).toMatch(/^store-/);
  await again.close();
});
