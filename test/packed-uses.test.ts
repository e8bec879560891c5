import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { idOfFolder } from '../src/core/identity.ts';
import { rawClient } from '../src/surfaces/http/fuzz/raw-client.fixture.ts';
import { type OpenServer, type PackedUser, packedUser } from './packed-user.ts';

// What users tried with the package as it is shipped, and found untrue once.
const hashing = '[embedder]\ndriver = "hashing"\n';
const rag = (lines: string) => `${hashing}[rag.vector_store]\n${lines}`;
const chroma = 'http://chroma.example.com:8000';
const sentence = (turn: number) =>
  `The ferry of pier ${turn} leaves at dawn and carries bread to the island.`;
/** A message of some 600 tokens. */
const letter = Array.from({ length: 32 }, (_, turn) => sentence(turn)).join('\n');
const mail = (date: Date, subject: string, body: string) =>
  `From: Ann <ann@example.org>\nTo: Bo <bo@example.org>\nDate: ${date.toUTCString()}\n` +
  `Subject: ${subject}\nMessage-ID: <${date.getTime()}@example.org>\n\n${body}\n`;

let user: PackedUser;
let server: OpenServer;

async function post(path: string, body: object) {
  const response = await fetch(server.url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, data: (await response.json()) as Record<string, unknown> };
}

beforeAll(async () => {
  const parts = ['birds', 'fish', 'trees'].flatMap((folder) =>
    Array.from({ length: 10 }, (_, turn) => [
      `parts/${folder}/note-${turn}.md`,
      `# ${folder} ${turn}\n\nThis part of the notes tells how ${folder} number ${turn} live near the lake.\n`,
    ]),
  );
  user = await packedUser({
    ...Object.fromEntries(parts),
    'parts/README.md': '# The lake\n\nThis folder is about everything that lives at the lake.\n',
    'mail/quarry.toml': hashing,
    'mail/long.eml': mail(new Date(), 'The ferry', letter),
    'old/quarry.toml': hashing,
    'old/old.eml': mail(new Date('2019-03-03T10:00:00Z'), 'The ferry', sentence(1)),
    'old/note.md': '# Harbour\n\nThe harbour is closed in winter.\n',
    'title/quarry.toml': hashing,
    'title/a.md': `# Harbour\n\nSee below.\n\n## Hours\n\n${letter.split('\n').slice(0, 6).join('\n')}\n`,
    'code/quarry.toml': `${hashing}[generator]\ndriver = "none"\n`,
    'code/pier.ts':
      '/**\n * The pier is opened by the keeper, who rings the bell [1] before each ferry.\n */\nexport function openPier(): void {\n  ring();\n}\n',
    'mailbox/quarry.toml': `${hashing}[generator]\ndriver = "none"\n`,
    'mailbox/box.mbox': [
      mail(new Date(), 'The ferry', 'The ferry to the island leaves at dawn from pier seven.'),
      mail(new Date(Date.now() - 60_000), 'The roof', 'The roof of the boathouse leaks and needs new tiles.'),
      mail(new Date(Date.now() - 120_000), 'Bread', 'The baker brings bread to the island on Fridays.'),
    ]
      .map((message) => `From ann@example.org Thu Jan  1 10:00:00 2026\n${message}\n`)
      .join(''),
    'chroma/quarry.toml': rag(`provider = "chroma"\nurl = "${chroma}"\ncollection_name = "notes"\n`),
    'chroma/a.md': '# Heron\n\nThe heron waits in the reeds.\n',
    'mock/quarry.toml': rag('provider = "mock"\n'),
    'mock/a.md': '# Heron\n\nThe heron waits in the reeds.\n',
    'postgres/quarry.toml': `${hashing}[store]\ndriver = "postgres"\nurl = "postgres://ida@db.example.com/library"\ncollection = "notes"\n`,
    'postgres/a.md': '# Heron\n\nThe heron waits in the reeds.\n',
  });
  server = await user.serve('parts');
});
afterAll(() => server?.end());

test('a project that was registered by its id alone takes chunks that a client has embedded', async () => {
  const { status } = await post('/projects', { id: 'vectors' });
  expect(status).toBeLessThan(300);
  const chunks = [{ path: 'a.md', text: 'The heron waits.', embedding: [1, 0, 0] }];
  expect(await post('/frag/store', { project_id: 'vectors', model: 'mine/1', chunks })).toMatchObject({
    status: 200,
    data: { documents: 1, chunks: 1 },
  });
  expect(await post('/frag/search/embedding', { project_id: 'vectors', embedding: [1, 0, 0] })).toMatchObject(
    {
      data: { results: [{ path: 'a.md' }] },
    },
  );
});

test('a client of the first protocol sends batches of JSON without a number of a protocol', async () => {
  await post('/projects', { id: 'streamed' });
  const client = await rawClient(server.url);
  expect(await client.ask({ type: 'START', project_id: 'streamed' })).toMatchObject({
    type: 'ack',
    protocol: 0,
  });
  const files = [{ path: 'lake/heron.md', content: '# Heron\n\nWaits in the reeds.\n' }];
  expect(await client.ask({ type: 'BATCH', batch_id: 'b-1', files })).toMatchObject({
    type: 'ack',
    files: 1,
  });
  expect(await client.ask({ type: 'COMPLETE', total_files: 1 })).toMatchObject({
    type: 'stats',
    stats: { files: 1, added: 1 },
  });
  const found = await post('/search', { project: 'streamed', query: 'reeds' });
  expect(found.data.hits).toMatchObject([{ path: 'lake/heron.md' }]);
});

test('a chat that asks the model alone says that none is set up; a summary of the dashboard quotes many documents', async () => {
  const id = idOfFolder(join(user.root, 'parts'));
  expect(await post('/api/chat?use_rag=false', { project: id, message: 'Hi' })).toMatchObject({
    status: 409,
    data: { error: { code: 'generator-missing' } },
  });
  await post(`/v1/projects/${id}/index`, {});
  const answered = await fetch(`${server.url}/api/dashboard/summary?use_rag=true&project=${id}`);
  const { documents, summary } = (await answered.json()) as {
    documents: number;
    summary: { answer: string; sources: { path: string }[] };
  };
  expect(documents).toBe(31);
  const paths = summary.sources.map(({ path }) => path);
  expect(paths).toContain('README.md');
  for (const folder of ['birds', 'fish', 'trees'])
    expect(paths.filter((path) => path.startsWith(`${folder}/`)).length).toBeGreaterThan(1);
});

test('the provider of the vectors of an existing set-up is the one that it names', async () => {
  const [shown, indexed] = await Promise.all([
    user.quarry('chroma', 'config', 'show'),
    user.quarry('chroma', 'index'),
  ]);
  expect(shown.stdout).toMatch(/store\.driver +(= )?"?chroma/);
  expect(indexed.stdout + indexed.stderr).toContain(`quarry consent give ${chroma}`);
  const nothing = await user.quarry('mock', 'index', '--json');
  const last = JSON.parse(nothing.stdout.trim().split('\n').at(-1) ?? '{}');
  expect(last).toMatchObject({ summary: { documents: { indexed: 0 } } });
  const searched = await user.quarry('mock', 'search', 'heron', '--json');
  expect(JSON.parse(searched.stdout).hits).toEqual([]);
});

test('consent for a database is asked for in the words of its address', async () => {
  const { code, stderr } = await user.quarry('postgres', 'index');
  expect([code, stderr]).toEqual([
    7,
    expect.stringContaining('quarry consent give postgres://db.example.com:5432'),
  ]);
  expect(stderr).not.toContain('https://');
});

/** The identities of the chunks of a file, as `manifest --chunks` lists them. */
async function chunksOf(folder: string, file: string) {
  expect((await user.quarry(folder, 'index')).code).toBe(0);
  const { stdout } = await user.quarry(folder, 'manifest', '--chunks');
  const [, lines = ''] = new RegExp(`indexed \\S+ +${file} .*\\n((?: {8}\\S+\\n)*)`).exec(stdout) ?? [];
  return lines.split('\n').flatMap((line) => line.trim() || []);
}

test('a mail of six hundred tokens is one chunk, which is read by the identity that the manifest lists', async () => {
  const chunks = await chunksOf('mail', 'long.eml');
  expect(chunks).toHaveLength(1);
  const { code, stdout } = await user.quarry('mail', 'read', 'long.eml', '--chunk', chunks[0] ?? '');
  expect([code, stdout]).toEqual([0, expect.stringContaining(sentence(31))]);
});

test('a title with one line joins the section behind it', async () => {
  expect(await chunksOf('title', 'a.md')).toHaveLength(1);
});

test('old mail that a first question does not see is said', async () => {
  const { stdout, stderr } = await user.quarry('old', 'search', 'harbour');
  expect(stdout).toContain('note.md');
  expect(stderr).toContain('email older than 60 days');
});

test('an answer without a model quotes a comment without its marks and with its own number alone', async () => {
  const { code, stdout } = await user.quarry('code', 'ask', 'Who opens the pier and rings the bell?');
  expect([code, stdout]).toEqual([0, expect.stringContaining('The pier is opened by the keeper')]);
  expect(stdout).not.toMatch(/“[^”]*(\/\*\*|\*\/|\[\d+\])[^”]*”/);
});

test('an answer from a mailbox quotes no headers, and each of its sources is one message', async () => {
  const question = 'When does the ferry to the island leave, and who brings bread?';
  const { code, stdout } = await user.quarry('mailbox', 'ask', question, '--json');
  const { answer, sources } = JSON.parse(stdout) as { answer: string; sources: { citation: string }[] };
  expect([code, answer]).toEqual([0, expect.stringContaining('leaves at dawn from pier seven')]);
  expect(answer).toContain('brings bread to the island on Fridays');
  expect(answer).not.toMatch(/From:|Subject:|Date:|example\.org/);
  expect(sources.map(({ citation }) => /"([^"]+)"/.exec(citation)?.[1]).sort()).toEqual([
    'Bread',
    'The ferry',
  ]);
});

test('what is wrong names what was meant, with the words that were given', async () => {
  const removed = await user.quarry('title', 'remove', 'my notes');
  expect(removed.code).not.toBe(0);
  expect(removed.stderr).toMatch(/quarry remove ["']my notes["'] --yes/);
  const misplaced = await user.quarry('title', 'search', 'harbour', '--set', 'index.top_k=3');
  expect(misplaced.stderr).toContain('Did you mean search.top_k?');
});
