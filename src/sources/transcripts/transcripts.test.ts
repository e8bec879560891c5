import { appendFile, mkdir, readdir, rm, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { zstdCompressSync } from 'node:zlib';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { indexEvents } from '../../../test/index-events.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import {
  claudeSession,
  codexSession,
  copilotSession,
  geminiSession,
  oldCodexSession,
} from '../../drivers/sources/transcripts/sessions.fixture.ts';
import { openProject } from '../../index.ts';
import { forgetTranscripts, nameTranscripts, transcriptsOf } from './named-transcripts.ts';
import { openTranscripts } from './open-transcripts.ts';

let home: string;
let folder: string;
const environment = (name: string) => ({ HOME: home })[name];
const settings = { embedder: { driver: 'hashing' } } as const;

beforeEach(async () => {
  home = await temporaryFolder({ 'code/api/readme.md': '# API\n\nThe interface of the service.\n' });
  folder = join(home, 'code', 'api');
});

const claudeFile = (cwd = folder) =>
  join(
    home,
    '.claude/projects',
    cwd.replace(/[^a-zA-Z0-9]/g, '-'),
    '11111111-2222-4333-8444-555566667777.jsonl',
  );
const yesterday = () => new Date(Date.now() - 24 * 3600 * 1000);

async function put(path: string, content: string | Uint8Array, at = yesterday()): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
  await utimes(path, at, at);
}

async function opened(): Promise<Project> {
  const project = await openProject(folder, { environment, settings });
  onTestFinished(() => project.close());
  return project;
}

const name = (project: Project, agents: string[], everywhere = false) =>
  nameTranscripts(project, agents, { everywhere }, environment);
async function index(project: Project) {
  const last = (await indexEvents(project)).at(-1);
  if (last?.type !== 'index-end') throw new Error('the run has no end');
  return last.summary;
}
const conversations = async (project: Project) =>
  (await (await project.store()).documents({ types: ['conversation'] })).map(({ uri }) => uri).sort();

test('nobody reads a transcript that the user has not named, whatever the settings of the project say', async () => {
  await put(claudeFile(), claudeSession(folder));
  await writeFile(join(folder, 'quarry.toml'), '[sources]\ntranscripts = ["claude"]\n');
  await expect(opened()).rejects.toThrow('which is not a setting');
  await writeFile(join(folder, 'quarry.toml'), '[index]\nroots = [".", "conversation:"]\ninclude = ["**"]\n');
  const project = await opened();
  await index(project);
  expect(await conversations(project)).toEqual([]);
});

describe('each agent', () => {
  test('is one document a session, by folder and day, with the command that continues it', async () => {
    await put(claudeFile(), claudeSession(folder));
    await put(
      join(home, '.codex/sessions/2026/10/03/rollout-2026-10-03T14-01-00-0199aaaa.jsonl'),
      codexSession(folder),
    );
    await put(
      join(home, '.codex/archived_sessions/rollout-2025-08-03T14-01-00-0198aaaa.jsonl.zst'),
      zstdCompressSync(oldCodexSession(join(folder, 'web'))),
    );
    await put(join(home, '.gemini/tmp/api/chats/session-2026-10-03T14-01-abcd1234.jsonl'), geminiSession());
    await put(join(home, '.gemini/tmp/api/.project_root'), folder);
    await put(join(home, '.gemini/tmp/api/logs.json'), '[]');
    await put(
      join(home, '.copilot/session-state/c0ffee00-1111-4222-8333-444455556666/events.jsonl'),
      copilotSession(folder),
    );
    await put(
      join(home, '.copilot/session-state/f0/events.jsonl'),
      copilotSession('/elsewhere', 'f0000000-1111'),
    );
    const project = await opened();
    await name(project, ['transcripts']);
    await index(project);
    expect(await conversations(project)).toEqual([
      'conversation:code/api/claude-2026-10-03.555566667777',
      'conversation:code/api/codex-2026-10-03.eeeeffff0000',
      'conversation:code/api/copilot-2026-10-03.444455556666',
      'conversation:code/api/gemini-2026-10-03.00000000cafe',
      'conversation:code/api/web/codex-2025-08-03.000000000001',
    ]);
    const documents = await (await project.store()).documents({ types: ['conversation'] });
    expect(documents.find(({ uri }) => uri.includes('claude'))).toMatchObject({
      title: 'Store test hangs',
      metadata: {
        agent: 'claude',
        folder,
        branch: 'main',
        messages: 2,
        resume: `cd ${folder} && claude --resume 11111111-2222-4333-8444-555566667777`,
      },
    });
    const { hits } = await project.search('why did the test of the store hang', {
      filter: { types: ['conversation'] },
      topK: 1,
    });
    expect(hits[0]?.chunk.place).toMatchObject({
      kind: 'messages',
      first: { message: 1, date: '2026-10-03T14:03:00.000Z' },
    });
    const told = await project.read({ place: 'conversation:code/api/codex-2026-10-03.eeeeffff0000' });
    expect(told.text).toBe(
      [
        'You, 2026-10-03: Make the parser accept trailing commas.',
        '[shell] bash -lc rg comma src\n> src/parse.ts:7: comma',
        '[apply_patch] src/parse.ts',
        'Codex: Trailing commas are accepted now, in arrays and in objects.',
        `(Codex in ~/code/api, continued by: cd ${folder} && codex resume 0199aaaa-bbbb-7ccc-8ddd-eeeeffff0000)`,
      ].join('\n\n'),
    );
    const gemini = await project.read({ place: 'conversation:code/api/gemini-2026-10-03.00000000cafe' });
    expect(gemini.text).toContain('Gemini: Run `make dist`; it writes dist/app.tar.');
    expect(gemini.text).not.toContain('Looking');
    const copilot = await project.read({
      place:
        'conversation:code/api/copilot-2026-10-03.444455556666: "Why is the page blank in Safari?", 2026-10-03',
    });
    expect(copilot.text).toContain('Copilot: Safari 15.3 has no structuredClone');
  });

  test('keeps what was asked and answered; of tools the first lines, of errors the end too, of thoughts and secrets nothing', async () => {
    await put(claudeFile(), claudeSession(folder));
    const project = await opened();
    await name(project, ['claude']);
    await index(project);
    const { text } = await project.read({
      place: 'conversation:code/api/claude-2026-10-03.555566667777',
      maxTokens: 4000,
    });
    expect(text).toContain('> line 2 of the output');
    expect(text).toContain('> Error: lock is held');
    expect(text).toMatch(/401 lines, \d+ kB in all/);
    expect(text).toContain('[Read] /src/store.ts');
    expect(text).not.toMatch(/line 200|secret thought|sk-ant-api03|system-reminder|\/clear|Caveat/);
    expect(text).toContain('Thanks. The key is ');
    const { degraded } = await project.status();
    expect(degraded.map(({ detail }) => detail)).toEqual(['1 records of an unknown kind']);
  });
});

test('sessions of other folders are read only where all are asked for, and --in names their folder', async () => {
  const other = join(home, 'code', 'shop');
  await put(claudeFile(), claudeSession(folder));
  await put(join(home, '.codex/sessions/rollout-x.jsonl'), codexSession(other));
  const project = await opened();
  await name(project, ['transcripts']);
  await index(project);
  expect(await conversations(project)).toHaveLength(1);
  await name(project, ['transcripts'], true);
  await index(project);
  expect(await transcriptsOf(project, environment)).toMatchObject([
    { agent: 'claude', sessions: 1 },
    { agent: 'codex', sessions: 1 },
  ]);
  const { hits } = await project.search('parser', { filter: { paths: ['conversation:code/shop/**'] } });
  expect(hits.map(({ document }) => document.uri)).toEqual([
    'conversation:code/shop/codex-2026-10-03.eeeeffff0000',
  ]);
  expect(
    (await project.search('parser', { filter: { since: Date.parse('2026-10-04') } })).hits.filter(
      ({ document }) => document.type === 'conversation',
    ),
  ).toEqual([]);
});

test('taken back, they are gone from the index at once, and what was kept of them too', async () => {
  await put(
    claudeFile(),
    `${claudeSession(folder)}${JSON.stringify({ type: 'progress', data: 'x'.repeat(1_100_000) })}\n`,
  );
  const project = await opened();
  await name(project, ['claude']);
  await index(project);
  const kept = join(home, '.cache/quarry/sessions');
  expect(await readdir(kept)).toHaveLength(1);
  expect((await stat(join(kept, (await readdir(kept))[0] ?? ''))).mode & 0o077).toBe(0);
  expect(await forgetTranscripts(project, ['transcripts'], undefined, environment)).toEqual({
    agents: ['claude'],
    documents: 1,
  });
  expect(await conversations(project)).toEqual([]);
  expect(await readdir(kept)).toEqual([]);
  await index(project);
  expect(await conversations(project)).toEqual([]);
});

test('of a session that grows only what is new is read and embedded, a torn last line when it is whole', async () => {
  const filler = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(1_100_000) })}\n`;
  await put(claudeFile(), filler + claudeSession(folder));
  const project = await opened();
  await name(project, ['claude']);
  await index(project);
  const record = (text: string, uuid: string) =>
    JSON.stringify({
      type: 'user',
      uuid,
      timestamp: '2026-10-03T15:00:00Z',
      sessionId: 's',
      cwd: folder,
      message: { role: 'user', content: text },
    });
  const first = record('And the lamp in the cellar?', 'n1');
  await appendFile(claudeFile(), `${first}\n${first.slice(0, 40)}`);
  await utimes(claudeFile(), yesterday(), new Date(yesterday().getTime() + 1000));
  const { chunks, documents } = await index(project);
  expect(documents).toMatchObject({ indexed: 1 });
  expect(chunks.embedded + chunks.cached).toBeLessThan(chunks.written);
  const { text } = await project.read({
    place: 'conversation:code/api/claude-2026-10-03.555566667777',
    maxTokens: 4000,
  });
  expect(text.match(/the lamp in the cellar/g)).toHaveLength(1);
  expect((await project.status()).degraded.map(({ detail }) => detail)).toEqual([
    '1 records of an unknown kind',
  ]);
});

test('a session that is going on is there up to its last question, and whole once it rests', async () => {
  await put(claudeFile(), claudeSession(folder), new Date());
  const project = await opened();
  await name(project, ['claude']);
  await index(project);
  const place = 'conversation:code/api/claude-2026-10-03.555566667777';
  expect((await project.read({ place, maxTokens: 4000 })).text).not.toContain('Thanks.');
  expect((await index(project)).documents).toMatchObject({ indexed: 0 });
  await utimes(claudeFile(), yesterday(), yesterday());
  await index(project);
  expect((await project.read({ place, maxTokens: 4000 })).text).toContain('Thanks.');
});

test('a file that was written again is read again, one that is gone is forgotten, and a folder that is away keeps what it had', async () => {
  const filler = `${JSON.stringify({ type: 'progress', data: 'x'.repeat(1_100_000) })}\n`;
  await put(claudeFile(), filler + claudeSession(folder));
  const project = await opened();
  await name(project, ['claude']);
  await index(project);
  await put(
    claudeFile(),
    filler + claudeSession(folder).replace('hangs on the build', 'waits on the farm'),
    new Date(Date.now() - 7_200_000),
  );
  await index(project);
  const place = 'conversation:code/api/claude-2026-10-03.555566667777';
  expect((await project.read({ place })).text).toContain('waits on the farm');
  await rm(join(home, '.claude'), { recursive: true });
  const failed = (await indexEvents(project)).find(({ type }) => type === 'root-failed');
  expect(failed).toMatchObject({ error: { remedy: expect.stringContaining('quarry source remove claude') } });
  expect(await conversations(project)).toEqual([place]);
  await mkdir(join(home, '.claude/projects'), { recursive: true });
  await index(project);
  expect(await conversations(project)).toEqual([]);
});

test('links, torn and hostile records, and sub-agents are passed over with a reason, never followed', async () => {
  const secret = join(home, 'secret.jsonl');
  await put(secret, claudeSession(folder));
  const place = dirname(claudeFile());
  await mkdir(place, { recursive: true });
  await symlink(secret, join(place, 'link.jsonl'));
  await symlink(home, join(home, '.claude/projects/loop'));
  await put(
    join(place, 'agent-1.jsonl'),
    claudeSession(folder, 'agent-1').replaceAll('"isSidechain":false', '"isSidechain":true'),
  );
  const hostile = [
    '{"type":"user","message":null}',
    '{"__proto__":{"x":1},"type":"user","message":{"content":{"length":7}}}',
    '[[[[',
    '7',
    'null',
    '"text"',
    `{"type":"user","sessionId":"../../../../etc","cwd":"${folder}/../../../..//\\u0007\\nx","timestamp":"+275760-09-13T00:00:00.000Z","message":{"content":"\\f\\u0000 What now?"}}`,
    `{"type":"assistant","message":{"content":[null,7,{"type":"tool_use","name":7,"input":[[]]},{"type":"text","text":["x"]}]}}`,
    `{"type":"assistant","message":{"content":${'['.repeat(5000)}${']'.repeat(5000)}}}`,
  ].join('\n');
  await put(
    join(home, '.claude/projects', `${place.slice(place.lastIndexOf('/') + 1)}`, 'hostile.jsonl'),
    `${hostile}\n`,
  );
  const source = openTranscripts(folder, { store: { driver: 'sqlite' } } as never, environment);
  const project = await opened();
  await name(project, ['claude'], true);
  const found: string[] = [];
  for await (const entry of source.scan())
    found.push(entry.kind === 'file' ? entry.file.uri : `${entry.skipped.rule}`);
  expect(found).toEqual([
    'a sub-agent, whose result is in the session that started it',
    expect.stringMatching(/^conversation:[^\n]*\/claude-9999-12-31\.[A-Za-z0-9_-]{8,12}$/),
  ]);
  expect(found.join()).not.toContain('..');
  await index(project);
  const [uri = ''] = await conversations(project);
  expect((await project.read({ place: uri })).text).toContain('What now?');
});

test('an index that others may read takes no conversation', async () => {
  await put(claudeFile(), claudeSession(folder));
  const shared = {
    folder,
    configFolder: join(home, '.config/quarry'),
    settings: { store: { driver: 'postgres' } },
  } as never;
  await expect(nameTranscripts(shared, ['claude'], { everywhere: false }, environment)).rejects.toThrow(
    'where others may read it',
  );
  const project = await opened();
  await name(project, ['claude']);
  const kinds: string[] = [];
  const remote = { store: { driver: 'lancedb', url: 's3://x' } } as never;
  for await (const { kind } of openTranscripts(folder, remote, environment).scan()) kinds.push(kind);
  expect(kinds).toEqual(['skipped']);
});
