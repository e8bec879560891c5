import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import type { ServerProcess } from '../../../../test/servers/stores/server-process.ts';
import { startProxy, type UnsteadyProxy } from '../../../../test/servers/stores/unsteady-proxy.ts';
import { temporaryFolder } from '../../../../test/temporary-folder.ts';
import type { Project } from '../../../calls/project.ts';
import { leavesText } from '../../../core/errors.ts';
import type { IndexEvent } from '../../../core/events.ts';
import { openProject } from '../../../project/open-project.ts';
import { unitVector } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import driver from './driver.ts';
import { noServer, startChroma } from './server.fixture.ts';

let server: ServerProcess;
let proxy: UnsteadyProxy;
let files: string;
const key = 'hunter2';
const environment = (name: string) => (name === 'QUARRY_STORE_API_KEY' ? key : process.env[name]);
const context = driverContext({ environment });
const open = (url = proxy.url) => driver.open({ url, collection: 'faults' }, context);
const entry = (embeddingKey: string, dimensions = 4) => ({
  embeddingKey,
  vector: unitVector(embeddingKey, dimensions),
});

const why = noServer ? ` (${noServer})` : '';
describe.skipIf(noServer)(`a Chroma server that${why}`, () => {
  beforeAll(async () => {
    files = await temporaryFolder();
    server = await startChroma(files);
    proxy = await startProxy(() => server.url);
  });
  afterAll(async () => {
    await proxy?.close();
    await server?.kill();
  });
  beforeEach(() => {
    proxy.weather = () => 'fair';
  });
  const restart = async (folder: string) => {
    await server.kill();
    server = await startChroma(folder, Number(new URL(server.url).port));
  };

  test('loses or refuses a request now and then is asked again', async () => {
    let requests = 0;
    proxy.weather = () => {
      requests += 1;
      return requests % 3 === 0 ? 'lost' : 'fair';
    };
    const engine = await open();
    await engine.create('again');
    expect(await engine.upsert('again', [entry('one')])).toBe(true);
    proxy.weather = () => (requests++ % 3 === 0 ? { status: 503 } : 'fair');
    expect(await engine.upsert('again', [entry('one'), entry('two')])).toBe(true);
    expect(await engine.count('again')).toBe(2);
    await engine.close();
  });

  test('refuses the key is named with the variable to set, and the key is not', async () => {
    proxy.weather = () => ({ status: 401 });
    const engine = await open();
    const failure = await engine.count('space').catch((thrown: unknown) => thrown);
    expect(failure).toMatchObject({
      code: 'provider-key',
      remedy: expect.stringContaining('QUARRY_STORE_API_KEY'),
    });
    expect(JSON.stringify([failure, String(failure)])).not.toContain(key);
    await engine.close();
  });

  test('is not there is named', async () => {
    const engine = await open('http://127.0.0.1:9');
    await expect(engine.count('space')).rejects.toMatchObject({
      code: 'provider-unreachable',
      remedy: expect.stringContaining('store.url'),
    });
    await engine.close();
  });

  test('has vectors of another length refuses ours, with a remedy', async () => {
    const engine = await open();
    await engine.create('length');
    await engine.upsert('length', [entry('one', 4)]);
    await expect(engine.nearest('length', unitVector('one', 5), 1)).rejects.toMatchObject({
      code: 'vector-invalid',
      remedy: expect.stringContaining('quarry index --full'),
    });
    await engine.close();
  });

  test('answers as no Chroma does is refused, and leaves the text of an index', async () => {
    const engine = await open(`${proxy.url}/api/v2/heartbeat?`);
    const failure = await engine.count('space').catch((thrown) => thrown);
    expect(leavesText(failure)).toBe(true);
    await engine.close();
  });

  test('is gone while a project is indexed or searched leaves its words, says why, and gets its vectors when it is back', async () => {
    const { project, index } = await openLake();
    await server.kill();
    const failed = await index();
    expect(failed.find(({ type }) => type === 'vectors-failed')).toMatchObject({
      pending: 2,
      error: { code: 'provider-unreachable' },
    });
    expect(failed.at(-1)).toMatchObject({ type: 'index-end', summary: { documents: { indexed: 2 } } });
    await restart(files);
    await index();
    expect(await search(project)).toMatchObject({ uris: ['lake.md', 'hill.md'], pending: 0, warnings: [] });
    await server.kill();
    const cut = await search(project, 'heron reeds');
    expect(cut).toMatchObject({ uris: ['lake.md'], warnings: ['provider-unreachable'] });
    await restart(files);
    expect(await search(project, 'heron reeds')).toMatchObject({
      uris: ['lake.md', 'hill.md'],
      warnings: [],
    });
  });

  test('comes back empty is reported once, and the next run gives it the vectors again', async () => {
    const { project, index } = await openLake();
    await index();
    await restart(await temporaryFolder());
    expect(await search(project)).toMatchObject({ uris: ['lake.md'], warnings: ['provider-refused'] });
    expect((await project.status()).counts).toMatchObject({ chunks: 2, embedded: 0 });
    const again = await index();
    expect(again.at(-1)).toMatchObject({ summary: { chunks: { cached: 2, pending: 0 } } });
    expect(await search(project)).toMatchObject({ uris: ['lake.md', 'hill.md'], warnings: [] });
    await restart(files);
  });
});

/** A project of two documents whose vectors are in the server behind the proxy. */
async function openLake() {
  const folder = await temporaryFolder({
    'lake.md': 'The heron waits in the reeds.\n',
    'hill.md': 'A fox sleeps under the oak.\n',
  });
  const settings = {
    'store.driver': 'chroma',
    'store.url': proxy.url,
    'embedder.driver': 'hashing',
    'cache.max_bytes': 10_000_000,
  };
  const project = await openProject(folder, { settings, environment, consent: [proxy.url] });
  onTestFinished(() => project.close());
  const index = async () => {
    const events: IndexEvent[] = [];
    for await (const event of project.index()) events.push(event);
    return events;
  };
  return { folder, project, index };
}

async function search(project: Project, query = 'heron') {
  const { hits, pending, warnings } = await project.search(query, { update: false, threshold: 0 });
  return {
    uris: hits.map(({ document }) => document.uri),
    pending,
    warnings: warnings.map(({ code }) => code),
  };
}
