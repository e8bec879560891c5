import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReceivedSource } from '../../../streaming/received-source.ts';
import { makeToken } from '../../../user/tokens.ts';
import { rawClient } from '../fuzz/raw-client.fixture.ts';
import { startTestServer } from '../server.fixture.ts';

// Clients that were written from the first design: START, BATCH …, COMPLETE as JSON, and no number of a protocol.
let running: Awaited<ReturnType<typeof startTestServer>>;
beforeAll(async () => {
  running = await startTestServer({ receiving: { limits: { fileBytes: 100_000, projectBytes: 300_000 } } });
  await running.receiver('refused');
});
afterAll(() => running.server.end());

const heron = { path: 'lake/heron.md', content: '# Heron\n\nWaits in the reeds.\n' };
const stork = { path: 'stork.md', content: '# Stork\n\nNests on roofs.\n' };
const md5 = (text: string) => createHash('md5').update(text).digest('hex');

async function client(project: string) {
  const raw = await rawClient(running.url);
  const ask = async (message: object | Uint8Array) => (await raw.ask(message)) as object | undefined;
  expect(await ask({ type: 'START', project_id: project })).toMatchObject({ type: 'ack', protocol: 0 });
  return { ...raw, ask };
}

describe('a client of the first protocol', () => {
  test('streams batches of files and gets the final stats; what it sends no more is gone', async () => {
    await running.receiver('first');
    const search = async (query: string) => {
      const { result } = await running.client.call('first', 'search', { query, route: 'text' });
      return (result as { hits: { path: string }[] }).hits.map(({ path }) => path);
    };
    const one = await client('first');
    expect(await one.ask({ type: 'BATCH', batch_id: 'b-1', files: [heron] })).toEqual({
      type: 'ack',
      batch: 0,
      batch_id: 'b-1',
      files: 1,
    });
    // Packed, in the three ways that a program may.
    const list = Buffer.from(JSON.stringify([stork]));
    const empty = { path: 'empty.txt', content: '' };
    const bytes = { path: 'bytes.txt', content: Buffer.from('Reeds').toString('base64'), encoding: 'base64' };
    for (const packed of [
      { type: 'BATCH', compressed: true, data: gzipSync(list).toString('base64') },
      { type: 'batch', data: list.toString('base64') },
      gzipSync(JSON.stringify({ type: 'batch', files: [empty, bytes] })),
    ])
      expect(await one.ask(packed)).toMatchObject({ type: 'ack' });
    const stats = { files: 4, added: 4, received_files: 4 };
    expect(await one.ask({ type: 'COMPLETE', total_files: 4 })).toMatchObject({
      type: 'stats',
      stats,
      index: { documents: { indexed: 3 } },
    });
    expect(await one.hear()).toBeUndefined();
    expect((await search('reeds')).sort()).toEqual(['bytes.txt', 'lake/heron.md']);

    const two = await client('first');
    // It may send batch after batch without waiting for an answer.
    const batches = Array.from({ length: 30 }, (_, turn) => ({
      path: `${turn}.md`,
      content: `Note ${turn}`,
    }));
    for (const file of [heron, ...batches]) void two.link.send({ type: 'batch', files: [file] });
    for (const _ of [heron, ...batches]) expect(await two.hear()).toMatchObject({ type: 'ack' });
    expect(await two.ask({ type: 'complete' })).toMatchObject({
      type: 'stats',
      stats: { files: 31, added: 30, removed: 3, changed: 0, received_files: 30 },
    });
    expect(await search('roofs')).toEqual([]);
  });

  test('is asked to send a batch again that was damaged on its way', async () => {
    const folder = await running.receiver('damaged');
    const raw = await client('damaged');
    const files = [
      { ...heron, checksum: md5(heron.content) },
      { ...stork, checksum: md5('other') },
    ];
    const damaged = { type: 'nack', batch: 0, reason: expect.stringContaining('stork.md') };
    expect(await raw.ask({ type: 'batch', files })).toMatchObject(damaged);
    expect(await raw.ask({ type: 'batch', files: [files[0], stork] })).toMatchObject({
      type: 'ack',
      files: 2,
    });
    expect(await raw.ask({ type: 'complete' })).toMatchObject({ type: 'stats', stats: { files: 2 } });
    const kept = await createReceivedSource(folder, () => 1e9).read(stork.path);
    expect(Buffer.from(kept).toString()).toBe(stork.content);
  });

  const bomb = gzipSync(Buffer.alloc(20_000_000, ' '));
  const refusals: [string, object | Uint8Array, string][] = [
    ['a path that leads out', { type: 'batch', files: [{ path: '../up', content: '' }] }, 'usage-invalid'],
    ['too many files', { type: 'batch', files: Array(501).fill(heron) }, 'request-too-large'],
    [
      'too large a file',
      { type: 'batch', files: [{ path: 'a', content: 'a'.repeat(100_001) }] },
      'request-too-large',
    ],
    [
      'more than a project holds',
      {
        type: 'batch',
        files: Array.from({ length: 4 }, (_, n) => ({ path: `${n}`, content: `${n}`.repeat(90_000) })),
      },
      'request-too-large',
    ],
    ['what unpacks to too much', bomb, 'request-too-large'],
    [
      'data that unpacks to too much',
      { type: 'batch', compressed: true, data: bomb.toString('base64') },
      'request-too-large',
    ],
    ['lists within lists', Buffer.from(`{"type":"batch","files":${'['.repeat(100)}`), 'request-too-large'],
    ['no files', { type: 'batch' }, 'usage-invalid'],
    ['no JSON', Buffer.from('nonsense'), 'usage-invalid'],
    ['a second start', { type: 'start', project_id: 'refused' }, 'usage-invalid'],
    ['fewer files than it says', { type: 'complete', total_files: 7 }, 'usage-invalid'],
  ];
  test.each(refusals)('that sends %s is refused with a clear error', async (_, message, code) => {
    const raw = await client('refused');
    expect(await raw.ask(message)).toMatchObject({
      type: 'error',
      error: { code, remedy: expect.any(String) },
    });
    expect(await raw.hear()).toBeUndefined();
  });

  test('needs the right to write the project', async () => {
    const { token, ...record } = makeToken({ name: 'reader', project: 'mine', access: 'read' });
    const owned = await startTestServer({ isOpen: false, token: record });
    const raw = await rawClient(owned.url, token);
    expect(await raw.ask({ type: 'start', project_id: 'mine' })).toMatchObject({ type: 'error' });
    await owned.server.end();
  });
});
