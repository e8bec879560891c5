import { readFile, writeFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { z } from 'zod';
import type { QuarryError } from '../src/core/errors.ts';
import { noServer as noChroma, sharedChroma } from '../src/drivers/vector-engines/chroma/server.fixture.ts';
import { deletePaths } from '../src/index/write.ts';
import { storeMigrateOperation } from '../src/operations/upkeep/store.ts';
import { processEnvironment } from '../src/platform/environment.ts';
import { openProject } from '../src/project/open-project.ts';
import { openClientIndex } from '../src/runs/indexes/client-index.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { callQuarry } from './quarry-call.ts';
import { startQuarry } from './quarry-process.ts';
import { temporaryFolder } from './temporary-folder.ts';

let running: Awaited<ReturnType<typeof startTestServer>>;
let folder: string;
let home: string;
const settings = '# our handbook\n[embedder]\ndriver = "hashing" # quick\n';
const chapters = 40;
/** With quarry.toml and the added talk. */
const documents = chapters + 2;
beforeAll(async () => {
  running = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } });
  const files = Array.from({ length: chapters }, (_, number) => [
    `chapter${number}.md`,
    `# Chapter ${number}\n\nThe heron of chapter ${number} waits in the reeds.\n\n## Fish\n\nIt eats ${number} fish.\n`,
  ]);
  home = await temporaryFolder();
  folder = await temporaryFolder({ 'quarry.toml': settings, ...Object.fromEntries(files) });
  expect(await quarry('index')).toMatchObject({ code: 0 });
  const added = start('add', '--uri', 'talk.md');
  added.child.stdin?.end('# A talk\n\nThe kingfisher dives.\n');
  expect(await added.finished).toMatchObject({ code: 0 });
});
afterAll(() => running.server.end());

// What a user has agreed to is no part of the project.
const own = () => ({ HOME: home, USERPROFILE: home });
const start = (...words: string[]) => startQuarry(folder, words, own());
const quarry = (...words: string[]) => callQuarry(folder, words, own());
const migrate = (collection: string, ...words: string[]) =>
  quarry('store', 'migrate', '--to', 'remote', `url=${running.url}`, `collection=${collection}`, ...words);
const found = async (query: string) => {
  const { stdout, stderr, code } = await quarry('search', query, '--json');
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return (JSON.parse(stdout) as { hits: { path: string; score: number; relevance: number }[] }).hits;
};

describe('quarry store migrate', () => {
  test('moves an index to a server and back, with added content, and searches find the same', async () => {
    const before = await found('heron of chapter 7');
    const copied = await migrate('team', '--json');
    expect(copied).toMatchObject({ code: 0 });
    expect(JSON.parse(copied.stdout)).toMatchObject({
      from: 'sqlite',
      to: 'remote',
      documents,
      copied: documents,
      present: 0,
      questions: 20,
      vector_agreement: 1,
      text_agreement: 1,
      switched: false,
      next: [
        `quarry config set store.driver=remote store.url=${running.url} store.collection=team`,
        `quarry consent give ${running.url}`,
      ],
    });
    expect(await readFile(join(folder, 'quarry.toml'), 'utf8')).toBe(settings);

    // The copy is whole by now, and somebody may use it: it is not touched again by accident.
    const occupied = await migrate('team');
    expect(occupied).toMatchObject({ code: 6 });
    expect(occupied.stderr).toContain('holds an index of 42 documents already');
    expect(occupied.stderr).toContain('--replace');

    const switched = await migrate('team', '--replace', '--switch', '--json');
    expect(JSON.parse(switched.stdout)).toMatchObject({ copied: 0, present: documents, switched: true });
    const text = await readFile(join(folder, 'quarry.toml'), 'utf8');
    expect(text).toContain('# our handbook');
    expect(text).toContain('driver = "remote"');
    expect(await quarry('consent', 'give', running.url)).toMatchObject({ code: 0 });
    // The settings are a document too, and are others now: how rare words are has changed by a hair.
    const after = await found('heron of chapter 7');
    expect(after).toEqual(before.map((hit) => ({ ...hit, relevance: expect.closeTo(hit.relevance, 3) })));
    expect((await found('kingfisher dives'))[0]?.path).toBe('virtual:talk.md');

    await writeFile(join(folder, 'chapter3.md'), '# Chapter 3\n\nThe otter has come.\n');
    expect(await quarry('index')).toMatchObject({ code: 0 });
    const back = await quarry('store', 'migrate', '--to', 'sqlite', '--switch', '--json');
    expect(back).toMatchObject({ code: 0 });
    // The changed chapter and the settings.
    expect(JSON.parse(back.stdout)).toMatchObject({ copied: 2, present: documents - 2, next: [] });
    expect(await readFile(join(folder, 'quarry.toml'), 'utf8')).toContain('driver = "sqlite"');
    expect((await found('otter'))[0]?.path).toBe('chapter3.md');
    expect((await found('kingfisher dives'))[0]?.path).toBe('virtual:talk.md');
  });

  test('continues after kill -9 with what has not arrived yet', async () => {
    let commits = 0;
    // The second commit of documents is not passed on: what the first one brought has arrived, and no more.
    const gate = createServer(async (given, answer) => {
      const body = await buffer(given);
      if (given.url?.endsWith('/commit') && body.includes('"chunks"')) commits += 1;
      if (commits === 2 && !child.killed) return void child.kill('SIGKILL');
      const { method, headers } = given;
      const passed = request(`${running.url}${given.url}`, { method, headers }, (reply) => {
        answer.writeHead(reply.statusCode ?? 500, reply.headers);
        reply.pipe(answer);
      });
      passed.end(body);
    });
    await new Promise<void>((resolve) => gate.listen(0, '127.0.0.1', resolve));
    const { port } = gate.address() as AddressInfo;
    const words = ['store', 'migrate', '--to', 'remote', `url=http://127.0.0.1:${port}`, 'collection=killed'];
    const { child, finished } = start(...words);
    await finished;
    expect(commits).toBe(2);
    const continued = await quarry(...words, '--json');
    gate.closeAllConnections();
    gate.close();
    expect(continued).toMatchObject({ code: 0 });
    const { copied, present } = JSON.parse(continued.stdout);
    expect(copied + present).toBe(documents);
    expect(present).toBeGreaterThan(0);
    expect(copied).toBeGreaterThan(0);
  });

  test('takes over what another program writes into the index meanwhile', async () => {
    // A writer that heeds no lock, and has opened the index before: it writes as soon as copying has begun.
    const store = await openClientIndex(folder, 'index-1', processEnvironment);
    await store.state();
    const { child, finished } = start(
      'store',
      'migrate',
      '--to',
      'remote',
      `url=${running.url}`,
      'collection=changing',
      '--json',
    );
    const calls = running.log.length;
    while (running.log.length < calls + 25) await new Promise((resolve) => setTimeout(resolve, 5));
    await deletePaths(store, ['chapter1.md']);
    await store.close();
    const { code, stdout } = await finished;
    expect(child.exitCode).toBe(0);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ documents: documents - 1 });
  });

  /** To another store and back; searches find the same there and then. */
  const thereAndBack = async (to: string, url: string) => {
    const [before] = await found('heron of chapter 7');
    expect(before?.path).toBe('chapter7.md');
    const there = await quarry(
      'store',
      'migrate',
      '--to',
      to,
      `url=${url}`,
      'collection=team',
      '--switch',
      '--json',
    );
    expect(there).toMatchObject({ code: 0 });
    expect(JSON.parse(there.stdout)).toMatchObject({ to, documents, vector_agreement: 1, switched: true });
    if (url.startsWith('http')) expect(await quarry('consent', 'give', url)).toMatchObject({ code: 0 });
    const [after] = await found('heron of chapter 7');
    expect(after?.path).toBe(before?.path);
    // A byte a value there, and more here.
    expect(after?.score).toBeCloseTo(before?.score ?? 0, 3);
    await writeFile(join(folder, 'chapter5.md'), `# Chapter 5\n\nThe otter has gone to ${to}.\n`);
    expect(await quarry('index')).toMatchObject({ code: 0 });
    const back = await quarry('store', 'migrate', '--to', 'sqlite', '--switch', '--json');
    expect(back).toMatchObject({ code: 0 });
    expect(JSON.parse(back.stdout)).toMatchObject({ from: to, documents, vector_agreement: 1 });
    expect((await found(`otter gone to ${to}`))[0]?.path).toBe('chapter5.md');
    return JSON.parse(there.stdout) as { copied: number; present: number };
  };

  test('moves an index to LanceDB and back, also after kill -9 in the midst of it', async () => {
    // A file that comes with a project names no folder outside of it.
    const place = '.quarry/tables';
    const words = ['store', 'migrate', '--to', 'lancedb', `url=${place}`, 'collection=team'];
    const versions = join(folder, place, 'team--index-1.lance', '_versions');
    // The process kills itself, so that it cannot be through before another one finds the time to.
    const killer = await temporaryFolder({
      'kill.mjs': `import { readdirSync } from 'node:fs';
        setInterval(() => {
          let commits = 0;
          try { commits = readdirSync(${JSON.stringify(versions)}).length; } catch {}
          if (commits >= 12) process.kill(process.pid, 'SIGKILL');
        }, 1).unref();`,
    });
    const preload = `--import=${pathToFileURL(join(killer, 'kill.mjs'))}`;
    const { child, finished } = startQuarry(folder, words, { ...own(), NODE_OPTIONS: preload });
    await finished;
    expect(child.signalCode).toBe('SIGKILL');
    const { copied, present } = await thereAndBack('lancedb', place);
    expect(present).toBeGreaterThan(0);
    expect(copied).toBeGreaterThan(0);
  });

  test.skipIf(noChroma)(`moves an index to Chroma and back${noChroma ? ` (${noChroma})` : ''}`, async () => {
    const chroma = await sharedChroma();
    expect(await thereAndBack('chroma', chroma.url)).toMatchObject({ copied: documents });
  });

  test.each([
    [{ to: 'sqlite' }, 'usage-invalid', /is in the store "sqlite" with these settings already/],
    [{ to: 'remote', settings: [] as string[] }, 'config-invalid', /lacks url and collection/],
    [{ to: 'nowhere' }, 'config-invalid', /There is no store named "nowhere"/],
    [{ to: 'remote', settings: ['colour=red'] }, 'usage-invalid', /"store.colour=red" names no setting/],
    [{ to: 'remote', settings: ['collection='] }, 'usage-invalid', /store.collection/],
    [elsewhere('http://127.0.0.1:9'), 'server-unreachable', /Nothing answers at 127.0.0.1:9/],
    [elsewhere('https://example.com'), 'consent-missing', /have not agreed/],
  ])('refuses %j with its remedy', async (input, code, message) => {
    const fresh = await temporaryFolder({ 'quarry.toml': settings, '.quarry/current': 'index-1\n' });
    await expect(refused(fresh, input)).resolves.toMatchObject({
      code,
      message: expect.stringMatching(message),
    });
  });

  test('does not claim to switch what the caller decides, and needs an index to copy', async () => {
    const input = { ...elsewhere(running.url), switch: true };
    const decided = await refused(folder, input, { 'store.driver': 'sqlite' });
    expect(decided.message).toContain('quarry.toml cannot switch the store');
    const unread = await refused(await temporaryFolder({ 'a.md': 'One heron.\n' }), elsewhere(running.url));
    expect(unread.remedy).toContain('quarry index');
  });

  test('says that nothing is lost where the other store fails in the middle', async () => {
    // A server that takes the first documents and is gone then.
    const brief = await startTestServer({ rate: { perSecond: 1e6, burst: 1e6 } });
    const work = refused(folder, elsewhere(brief.url));
    while (brief.log.length < 25) await new Promise((resolve) => setTimeout(resolve, 5));
    await brief.server.end();
    const error = await work;
    expect(error.message).toContain('Copying to the store "remote" has stopped');
    expect(error.remedy).toContain('The index in use is untouched; the same command continues');
  });
});

function elsewhere(url: string) {
  return { to: 'remote', settings: [`url=${url}`, 'collection=x'] };
}

/** The error that a migration ends with. */
async function refused(
  place: string,
  input: z.input<typeof storeMigrateOperation.input>,
  given: Record<string, unknown> = {},
): Promise<QuarryError> {
  const project = await openProject(place, { settings: given });
  try {
    const parsed = storeMigrateOperation.input.parse(input);
    for await (const _ of storeMigrateOperation.run(project, parsed, {}));
  } catch (thrown) {
    return thrown as QuarryError;
  } finally {
    await project.close();
  }
  throw new Error('it succeeded');
}
