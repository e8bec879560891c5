import type { ChildProcess } from 'node:child_process';
import { chownSync, statSync } from 'node:fs';
import { chmod, cp, mkdir, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { stopResident } from '../src/client/stop-resident.ts';
import { catalogue } from '../src/operations/catalogue.ts';
import {
  makeSurroundings,
  names,
  noteName,
  ofAnotherUser,
  placements,
  stateNames,
} from './hostile-folder-cases.ts';
import { commands, quick } from './hostile-folder-commands.ts';
import {
  type AskedFolder,
  askAll,
  ending,
  endsWithin,
  maxKilobytes,
  type Outcome,
  spawnChild,
} from './hostile-folder-processes.ts';
import { startQuarry } from './quarry-process.ts';
import { sample, turn as turnOfRun } from './samples.ts';
import { temporaryFolder, writeFiles } from './temporary-folder.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
/** With which a child begins the line that says that a command has ended. */
const endedMark = 'ended: ';
const commandsChild = fileURLToPath(new URL('./hostile-folder-commands-child.ts', import.meta.url));

/** A home for all processes here, so that what one of them made is the user's own for the others. */
let home: string;
/** Another one for servers of MCP, which start an engine there. */
let homeOfEditors: string;
/** A project with an index, a note and a report, as Quarry left it. */
let sound: string;

beforeAll(async () => {
  home = await temporaryFolder();
  homeOfEditors = await temporaryFolder();
  sound = await temporaryFolder({
    'lake.md': '# Lake\n\nThe heron waits in the reeds until a fish swims by.\n',
    'hill.md': '# Hill\n\nSheep graze on the slope above the village.\n',
    'quarry.toml': '[search]\ntop_k = 5\n',
    '.gitignore': 'build/\n',
    '.quarryignore': 'drafts/\n',
    'sub/.gitignore': 'more/\n',
    'sub/.quarryignore': 'less/\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.git/config': '[core]\n\tignorecase = true\n',
    '.git/info/exclude': 'private/\n',
    'questions.jsonl': '{"query":"heron","relevant":["lake.md"]}\n',
  });
  for (const words of [['index'], ['add', 'lake.md', '--uri', noteName], ['search', 'heron']]) {
    const { code, stderr } = await startQuarry(sound, [...words, ...quick], { HOME: home }).finished;
    expect([words[0], code, stderr]).toEqual([words[0], 0, expect.anything()]);
  }
  await writeFiles(join(sound, '.quarry'), { 'reports/2026-01-01.ndjson': '{}\n{}\n', copy: 'one\n' });
});

afterAll(() => stopResident((name) => (name === 'HOME' ? homeOfEditors : undefined)));

describe.skipIf(process.platform === 'win32')('a folder in which a name that Quarry uses is', () => {
  const state = ['.quarry', '.quarry-added', '.quarry/index-1', '.quarry/index-1/index.sqlite'];
  const kinds = Object.entries({ ...placements, ...(isRoot && { "another user's": ofAnotherUser }) });
  // Each name is asked every question, and so is each kind; all of both only where an index is, and over several runs.
  const titled = kinds.map(([kind, put], turn) => ({ kind, put, turn }));
  type Kind = (typeof titled)[number];

  /** Folders of a kind that is placed under one name each. */
  async function placed({ put, turn }: Kind) {
    const others = names.filter((name) => !state.includes(name));
    const tried = [...sample(4, state, turn), ...sample(6, others, turn)];
    const surroundings = await makeSurroundings(sound);
    const parent = await temporaryFolder();
    const folders: AskedFolder[] = [];
    for (const [at, name] of names.entries()) {
      if (!tried.includes(name)) continue;
      const folder = join(parent, String(at), 'project');
      await mkdir(join(parent, String(at)));
      await cp(sound, folder, { recursive: true });
      if ((await put({ name, path: join(folder, name), outside: surroundings.folder })) === false) continue;
      folders.push(state.includes(name) ? { folder } : { folder, turn: turnOfRun + turn + at });
    }
    return { surroundings, folders, before: await surroundings.checksums() };
  }

  const all = new Map<Kind, Awaited<ReturnType<typeof placed>>>();
  const answered: Outcome[] = [];
  beforeAll(async () => {
    for (const kind of titled) all.set(kind, await placed(kind));
    // A process for several kinds: to start one for each takes longer than they answer. In CI each has more to answer.
    const processes = process.env.CI ? 7 : 2;
    const shares = Array.from({ length: processes }, (_, share) =>
      titled.flatMap((kind, at) => (at % processes === share ? (all.get(kind)?.folders ?? []) : [])),
    );
    for (const found of await Promise.all(shares.map((folders) => askAll(folders, home))))
      answered.push(...found);
  });

  test.each(titled)(
    '$kind: every question ends with an answer or a remedy, and nothing outside changes',
    async (kind) => {
      const { folders = [], surroundings, before } = all.get(kind) ?? {};
      const found = answered.filter((outcome) => folders.some(({ folder }) => folder === outcome.folder));
      expect(found).toHaveLength(folders.length);
      expect(found.length).toBeGreaterThan(0);
      for (const { folder, outcomes, kilobytes } of found) {
        const name = names[Number(basename(join(folder, '..')))];
        expect(
          [name, ...Object.values(outcomes ?? {})].filter((outcome) => outcome?.startsWith('internal')),
        ).toEqual([]);
        expect(kilobytes).toBeLessThan(maxKilobytes);
        // All else that others own in a folder is used as any file of it.
        if (kind.put === ofAnotherUser && state.includes(name ?? ''))
          expect([name, outcomes?.search]).toEqual([name, 'path-unsafe']);
      }
      expect(await surroundings?.checksums()).toEqual(before);
    },
  );
});

describe.skipIf(process.platform === 'win32')('every command ends by itself in a folder', () => {
  test('is asked for everything that there is to ask', () => {
    expect(commands.map(({ name }) => name)).toEqual([...catalogue.map(({ name }) => name), 'open']);
  });

  /** Names that hold up no other command are hostile together. */
  const further = [
    '.quarry/reports/2026-01-01.ndjson',
    '.quarry/last-search.json',
    '.git/config',
    '.gitignore',
  ];
  const hostile: readonly (readonly [kind: string, ...names: string[]])[] = [
    ['as Quarry left it'],
    ['a link to a folder outside', '.quarry'],
    ['a link to an endless device', '.quarry/current'],
    ['a named pipe', 'quarry.toml'],
    ['a named pipe, and the index has a trigger', '.quarry/foreign.lock'],
    ['a named pipe', ...further],
    ['a link to an endless device', ...further],
    ['a link to a folder outside', '.quarry/reports', '.quarry/last-search.json', '.git', '.quarryignore'],
  ];
  const titled = sample(8, hostile).map(([kind = '', ...placed]) => ({
    kind,
    placed,
    what: placed.join(', ') || 'all',
  }));
  test.concurrent.each(titled)('where $what is $kind', async ({ kind, placed }) => {
    const surroundings = await makeSurroundings(sound);
    const before = await surroundings.checksums();
    const hostileFolder = async () => {
      const folder = join(await temporaryFolder(), 'project');
      await cp(sound, folder, { recursive: true });
      for (const name of placed)
        await placements[kind]?.({ name, path: join(folder, name), outside: surroundings.folder });
      return folder;
    };
    const asked = await Promise.all(
      commands.map(async ({ words }) => ({ folder: await hostileFolder(), words })),
    );
    const running = asked.filter(({ words }) => words[0] !== 'watch');
    const { code, signal, stdout, stderr } = await ending(
      spawnChild(commandsChild, home, [JSON.stringify(running)]),
    );
    const ended = stdout.split('\n').filter((line) => line.startsWith(endedMark));
    expect({ code, signal, stderr, last: ended.at(-1) }).toMatchObject({ code: 0, signal: null });
    expect(ended).toHaveLength(running.length);
    expect(stderr).not.toContain('Report this');
    if (placed.length === 0) {
      // What a command leaves in a folder is what it may find there, from a stranger.
      const left = await Promise.all(asked.map(({ folder }) => stateNames(folder)));
      const isKnown = (name: string) => names.includes(name) && !name.includes('foreign-');
      expect(left.flat().filter((name) => !isKnown(name))).toEqual([]);
      return;
    }
    if (placed.length > 1) return expect(await surroundings.checksums()).toEqual(before);
    // What stays is asked, told to end, and ends. A watch that cannot begin ends by itself.
    const watched = await runUntil(
      await hostileFolder(),
      ['watch', '--json', ...quick],
      watchSpeaks,
      (child, said) => said.includes('"type":"error"') || child.kill('SIGINT'),
    );
    expect(watched).toMatchObject({ stderr: expect.not.stringContaining('Report this'), signal: null });
    expect(watched.stdout).not.toContain('"internal"');
    const served = await runUntil(await hostileFolder(), ['mcp'], mcpHasAnswered, (child) =>
      child.stdin?.end(),
    );
    expect(served).toMatchObject({
      code: 0,
      stderr: expect.not.stringContaining('Report this'),
      signal: null,
    });
    expect(served.stdout).not.toContain('Report this');
    expect(await surroundings.checksums()).toEqual(before);
  });

  test.each(['a link to a folder outside', 'a named pipe'])(
    'where .quarry is %s, a server that serves it when it is told to, and the page opens',
    async (kind) => {
      const surroundings = await makeSurroundings(sound);
      const before = await surroundings.checksums();
      const folder = join(await temporaryFolder(), 'project');
      await cp(sound, folder, { recursive: true });
      await placements[kind]?.({
        name: '.quarry',
        path: join(folder, '.quarry'),
        outside: surroundings.folder,
      });
      const HOME = await temporaryFolder();
      const { child: serving, finished } = startQuarry(
        folder,
        ['serve', '--port', '0', '--json', '--folder', '.'],
        { HOME },
      );
      onTestFinished(() => void serving.kill('SIGKILL'));
      let told = '';
      serving.stdout?.on('data', (data) => {
        told += data;
      });
      await expect.poll(() => told, { timeout: endsWithin }).toContain('server-started');
      const shown = await run(folder, ['ui', '--print'], { HOME });
      expect([shown.code, shown.stdout]).toEqual([0, expect.stringContaining('http://127.0.0.1:')]);
      serving.kill('SIGTERM');
      expect(await finished).toMatchObject({ code: 0, stderr: expect.not.stringContaining('Report this') });
      expect(await surroundings.checksums()).toEqual(before);
    },
  );

  test('that has its index in a folder of its own, when it is told to', async () => {
    const toml = '[store]\ndriver = "lancedb"\nurl = "vectors"\n[embedder]\ndriver = "hashing"\n';
    const folder = await temporaryFolder({ 'lake.md': 'The heron waits.', 'quarry.toml': toml });
    const { child: watching, finished } = startQuarry(folder, ['watch', '--json'], { HOME: home });
    onTestFinished(() => void watching.kill('SIGKILL'));
    let told = '';
    watching.stdout?.on('data', (data) => {
      told += data;
    });
    const passes = () => expect.poll(() => told.split('"pass-end"').length - 1, { timeout: endsWithin });
    await passes().toBeGreaterThan(0);
    // The next pass finds the tables that the first one made.
    await writeFiles(folder, { 'hill.md': 'Sheep graze.' });
    await expect.poll(() => told, { timeout: endsWithin }).toMatch(/"document-indexed"[^\n]*hill\.md/);
    await passes().toBeGreaterThan(1);
    watching.kill('SIGINT');
    expect([0, 130]).toContain((await finished).code);
    const tables = await readdir(join(folder, 'vectors'), { recursive: true });
    expect(tables.length).toBeLessThan(200);
    expect(told).not.toMatch(/"document-(?:indexed|failed)"[^\n]*"vectors\//);
    expect(statSync(join(folder, 'vectors')).mode & 0o777).toBe(0o700);
  });
});

describe.skipIf(!isRoot)('for a second user of the machine', () => {
  test('a state folder above theirs, in a folder of somebody else, gets nothing of their text', async () => {
    const shared = await temporaryFolder({ 'quarry.toml': '' });
    await chmod(shared, 0o777);
    await mkdir(join(shared, '.quarry'), { mode: 0o777 });
    await chmod(join(shared, '.quarry'), 0o777);
    const own = join(shared, 'private');
    await writeFiles(own, { 'diary.md': 'A secret about the heron.', 'home/x': '' });
    for (const path of ['', 'diary.md', 'home']) chownSync(join(own, path), nobody, nobody);
    await chmod(own, 0o700);
    const theirs = { HOME: join(own, 'home'), QUARRY_DATA_FOLDER: join(own, 'home', 'data') };
    const { code, stderr } = await run(own, ['index', ...quick], theirs, nobody);
    expect([code, stderr]).toEqual([0, expect.anything()]);
    expect(await readdir(join(shared, '.quarry'))).toEqual([]);
    expect(statSync(join(own, '.quarry')).mode & 0o777).toBe(0o700);
    // And in the shared folder itself they are told.
    const refused = await run(shared, ['search', 'heron', ...quick], theirs, nobody);
    expect(refused.stderr).toContain('belongs to another user');
    expect(await readdir(join(shared, '.quarry'))).toEqual([]);
  });
});

/** Whether a watch has said what came of its first pass, or why it does not watch. */
const watchSpeaks = (stdout: string): boolean => /"type":"(pass-end|pass-failed|error)"/.test(stdout);

/** What a client of MCP asks: a search and the status, after the greeting. */
const mcpQuestions = [
  {
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: { name: 'search', arguments: { query: 'heron' } } },
  { id: 3, method: 'tools/call', params: { name: 'status', arguments: {} } },
].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

const mcpHasAnswered = (stdout: string): boolean =>
  [1, 2, 3].every((id) => new RegExp(`^\\{.*"id":${id}\\b.*\\}$`, 'm').test(stdout));

/** Runs a command that does not end by itself until it has said enough, and then ends it. */
async function runUntil(
  folder: string,
  words: readonly string[],
  isEnough: (stdout: string) => boolean,
  end: (child: ChildProcess, said: string) => unknown,
) {
  const HOME = words[0] === 'mcp' ? homeOfEditors : home;
  const { child: running, finished } = startQuarry(folder, words, { HOME });
  const hanging = setTimeout(() => running.kill('SIGKILL'), endsWithin);
  let [said, hasSaidEnough] = ['', false];
  running.stdout?.on('data', (data) => {
    said += data;
    if (hasSaidEnough || !isEnough(said)) return;
    hasSaidEnough = true;
    end(running, said);
  });
  if (words[0] === 'mcp') running.stdin?.write(mcpQuestions.join(''));
  const result = await finished;
  clearTimeout(hanging);
  expect([words[0], hasSaidEnough, result.stdout, result.stderr]).toEqual([
    words[0],
    true,
    said,
    result.stderr,
  ]);
  return { ...result, signal: running.signalCode };
}

/** Runs a command to its end, as this user or as another one. */
async function run(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
  uid?: number,
) {
  const { child: running, finished } = startQuarry(
    folder,
    words,
    {
      HOME: home,
      NODE_COMPILE_CACHE: uid === undefined ? (process.env.NODE_COMPILE_CACHE ?? '') : '',
      ...env,
    },
    undefined,
    uid,
  );
  const hanging = setTimeout(() => running.kill('SIGKILL'), endsWithin);
  const result = await finished;
  clearTimeout(hanging);
  return { ...result, signal: running.signalCode };
}
