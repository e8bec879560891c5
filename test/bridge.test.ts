import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  trustGiveOperation,
  trustShowOperation,
  trustWithdrawOperation,
} from '../src/operations/setup/trust.ts';
import { resultOf } from '../src/platform/streams.ts';
import { openProject } from '../src/project/open-project.ts';
import { startTestServer } from '../src/surfaces/http/server.fixture.ts';
import { temporaryFolder } from './temporary-folder.ts';

const library = fileURLToPath(new URL('./outside-server.ts', import.meta.url));
let home: string;
let folder: string;
let log: string;
const environment = (name: string): string | undefined => (name === 'HOME' ? home : undefined);
const open = () => openProject(folder, { environment });
const command = (note = '') => `"${process.execPath}" "${library}" "${log}"${note}`;
const settings = (server: string) =>
  `[index]\nexclude = ["quarry.toml"]\n\n[embedder]\ndriver = "hashing"\n\n[store]\ndriver = "mcp"\nmcp.server = ${JSON.stringify(server)}\n`;
const runs = async (): Promise<string[]> =>
  (await readFile(log, 'utf8').catch(() => '')).split('\n').filter(Boolean);

beforeAll(async () => {
  process.env.SECRET_API_KEY = 'sesame';
  home = await temporaryFolder({});
  log = join(home, 'started.log');
  folder = await temporaryFolder({
    'heron.md': '# Heron\n\nThe heron waits in the reeds.\n',
    'quarry.toml': settings(command()),
  });
});
afterAll(() => {
  delete process.env.SECRET_API_KEY;
});

describe('a command in the settings of a project', () => {
  test('is not run before the user trusts the project: the index answers alone, and says so', async () => {
    const project = await open();
    const { hits, warnings } = await project.search('heron');
    await project.close();
    expect(hits.map(({ document }) => document.uri)).toEqual(['heron.md']);
    expect(warnings).toMatchObject([
      { code: 'trust-missing', remedy: expect.stringContaining('quarry trust') },
    ]);
    expect(await runs()).toEqual([]);
  });

  test('answers beside the index once it is trusted, without our keys', async () => {
    const project = await open();
    expect(await resultOf(trustGiveOperation.run(project, {}, {}))).toMatchObject({ trusted: true });
    const { hits, warnings } = await project.search('heron');
    expect(warnings).toEqual([]);
    expect(hits.map(({ document }) => document.uri)).toEqual([
      'heron.md',
      'mcp:library/On Herons',
      'mcp:library/On Cranes',
    ]);
    expect(hits[1]).toMatchObject({
      chunk: { place: { kind: 'lines', first: 7 } },
      document: { origin: 'unknown' },
    });
    const { passages } = await project.search('heron', { window: {} });
    expect(passages?.map(({ text }) => text).join('\n')).toContain('A whole book about the heron');
    await project.close();
    expect(await runs()).toEqual([expect.stringMatching(/^\d+ no key$/)]);
  });

  test('degrades where it fails, and is started again', async () => {
    const project = await open();
    const crashed = await project.search('heron crash');
    expect(crashed.hits.map(({ document }) => document.uri)).toEqual(['heron.md']);
    expect(crashed.warnings).toMatchObject([{ code: 'provider-unreachable' }]);
    const refused = await project.search('heron refuse');
    expect(refused.warnings).toMatchObject([
      { code: 'provider-refused', message: expect.stringContaining('closed') },
    ]);
    expect((await project.search('heron')).hits).toHaveLength(3);
    await project.close();
  });

  test('is not asked for what it cannot know: filters and literal texts', async () => {
    const project = await open();
    const filtered = await project.search('heron', { filter: { paths: ['*.md'] } });
    const literal = await project.search('heron', { route: 'exact' });
    await project.close();
    for (const { hits } of [filtered, literal])
      expect(hits.every(({ document }) => !document.uri.startsWith('mcp:'))).toBe(true);
  });

  test('loses the trust when it changes, or when the user withdraws it', async () => {
    await writeFile(join(folder, 'quarry.toml'), settings(command(' --another')));
    const changed = await open();
    const before = (await runs()).length;
    expect(await resultOf(trustShowOperation.run(changed, {}, {}))).toMatchObject({ trusted: false });
    expect((await changed.search('heron')).warnings).toMatchObject([{ code: 'trust-missing' }]);
    expect((await runs()).length).toBe(before);
    await resultOf(trustGiveOperation.run(changed, {}, {}));
    expect((await changed.search('heron')).warnings).toEqual([]);
    expect(await resultOf(trustWithdrawOperation.run(changed, {}, {}))).toMatchObject({ withdrawn: true });
    expect((await changed.search('heron')).warnings).toMatchObject([{ code: 'trust-missing' }]);
    await changed.close();
  });
});

test('another Quarry answers over HTTP, and beyond this machine only with consent', async () => {
  const running = await startTestServer();
  const other = await running.folder({ 'owl.md': '# Owl\n\nThe owl hears the heron at night.\n' });
  const { id } = await running.client.openFolder(other);
  await running.client.call(id, 'index', {});
  const flags = {
    'store.driver': 'mcp',
    'store.mcp.server': `${running.url}/mcp`,
    'embedder.driver': 'hashing',
  };
  const own = await temporaryFolder({ 'heron.md': '# Heron\n\nThe heron waits in the reeds.\n' });
  const project = await openProject(own, { environment, settings: flags });
  const { hits, warnings } = await project.search('the heron');
  await project.close();
  await running.server.end();
  expect(warnings).toEqual([]);
  const uris = hits.map(({ document }) => document.uri);
  expect(uris[0]).toBe('heron.md');
  expect(uris).toContainEqual(expect.stringMatching(/^mcp:127\.0\.0\.1:\d+\/owl\.md$/));
  const away = await openProject(own, {
    environment,
    settings: { ...flags, 'store.mcp.server': 'https://mcp.example.com/mcp' },
  });
  expect((await away.search('the heron')).warnings).toMatchObject([{ code: 'consent-missing' }]);
  await away.close();
});
