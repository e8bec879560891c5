import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createForge } from '../../../secrets/forge.fixture.ts';
import { encodeBatch } from '../../../streaming/batch.ts';
import { createReceivedSource } from '../../../streaming/received-source.ts';
import { entryOf, pageOf, rawClient, startOf } from '../fuzz/raw-client.fixture.ts';
import { startTestServer } from '../server.fixture.ts';
import { createLaptop } from './file-agent.fixture.ts';

type TestServer = Awaited<ReturnType<typeof startTestServer>>;
const limits = { fileBytes: 9_000_000, projectBytes: 12_000_000, files: 1000 };
let running: TestServer;
beforeAll(async () => {
  running = await startTestServer({ receiving: { limits } });
  for (const id of ['hostile', 'damaged']) await running.receiver(id);
});
afterAll(() => running.server.end());

const indexed = async (project: string): Promise<string[]> => {
  const { result } = await running.client.call(project, 'manifest', {});
  return (result as { entries: { path: string }[] }).entries.map(({ path }) => path).sort();
};
/** What the server keeps of a file. */
const kept = async (folder: string, path: string): Promise<string> =>
  Buffer.from(await createReceivedSource(folder, () => 1e9).read(path)).toString();

describe('a push', () => {
  test('sends what the server does not have, and what left leaves there too', async () => {
    await running.receiver('notes');
    const laptop = await createLaptop(running.home, {
      'lake.md': '# Lake\n\nThe heron waits in the reeds.\n',
      'deep/hill.md': '# Hill\n\nGrass.\n',
      'copy.md': '# Hill\n\nGrass.\n',
      '.gitignore': 'ignored.md\n',
      'ignored.md': 'not for others',
    });
    const first = await laptop.push(running.url);
    expect(first.stats).toMatchObject({ added: 4, changed: 0, removed: 0, received_files: 3 });
    expect(first.index).toMatchObject({ documents: { indexed: 4 } });
    expect(await indexed('notes')).toEqual(['.gitignore', 'copy.md', 'deep/hill.md', 'lake.md']);
    const found = await running.client.call('notes', 'search', { query: 'heron in the reeds' });
    expect(JSON.stringify(found.result)).toContain('lake.md');

    const second = await laptop.push(running.url);
    expect(second.stats).toMatchObject({ added: 0, changed: 0, removed: 0, received_bytes: 0 });
    expect(second.stats.revision).toBe(first.stats.revision);

    await laptop.write('lake.md', '# Lake\n\nThe osprey dives.\n');
    await laptop.remove('deep/hill.md');
    const third = await laptop.push(running.url, { gzip: true });
    expect(third.stats).toMatchObject({ added: 0, changed: 1, removed: 1, received_files: 1 });
    expect(await indexed('notes')).toEqual(['.gitignore', 'copy.md', 'lake.md']);
  });

  test('blacks secrets out before they leave, and withholds what hides them', async () => {
    const folder = await running.receiver('secrets');
    const key = `gh${'p_'}${createForge(7).base62(36)}`;
    const message = `From: a@b.example\nSubject: x\nContent-Transfer-Encoding: base64\n\n`;
    const laptop = await createLaptop(running.home, {
      'config.yaml': `port: 80\ntoken: ${key}\n`,
      'log.txt.gz': gzipSync(`started\nGITHUB_TOKEN=${key}\n`),
      'mail.eml': message + Buffer.from(`the key is ${key}\n`).toString('base64'),
      'latin.txt': Buffer.from('caf\xe9 au lait, mon ami\n', 'latin1'),
    });
    const { events } = await laptop.push(running.url, { project: 'secrets' });
    expect(await kept(folder, 'config.yaml')).toMatch(/^port: 80\ntoken: REDACTED█+\n$/);
    const source = createReceivedSource(folder, () => 1e9);
    expect(gunzipSync(await source.read('log.txt.gz')).toString()).toMatch(/REDACTED█+/);
    // What holds no secret travels as it is.
    expect([...(await source.read('latin.txt'))]).toContain(0xe9);
    await expect(source.read('mail.eml')).rejects.toMatchObject({ code: 'file-unreadable' });
    expect(events).toContainEqual({
      type: 'path-skipped',
      skipped: expect.objectContaining({ uri: 'mail.eml', reason: 'secret-file' }),
    });
  });

  test('of a large file goes in pieces, and continues in the midst of it after a cut', async () => {
    await running.receiver('large');
    const text = Array.from(
      { length: 120_000 },
      (_, line) => `line ${line} of a long log, with words\n`,
    ).join('');
    const { entry } = entryOf('big.log', text);
    const size = Buffer.byteLength(text);
    const raw = await rawClient(running.url);
    await raw.start('large');
    expect(await raw.ask(pageOf(entry))).toMatchObject({ type: 'need', files: [[0, 0]] });
    const half = Buffer.from(text).subarray(0, 2_000_000);
    expect(await raw.batch(0, [{ file: 0, from: 0, bytes: half }])).toEqual({ type: 'ack', batch: 0 });
    raw.socket.terminate();
    const laptop = await createLaptop(running.home, {
      'big.log': text,
      'quarry.toml': '[index]\nmax_file_bytes = 8000000\n',
    });
    const { stats } = await laptop.push(running.url, { project: 'large' });
    expect(stats.received_bytes).toBe(size - half.length + '[index]\nmax_file_bytes = 8000000\n'.length);
  });

  test('of two clients is serialised, and the later one is told to wait', async () => {
    await running.receiver('shared');
    const raw = await rawClient(running.url);
    await raw.start('shared');
    const laptop = await createLaptop(running.home, { 'a.md': 'later\n' });
    const told = Promise.withResolvers<void>();
    const push = laptop.push(running.url, {
      project: 'shared',
      onEvent: ({ type }) => type === 'push-waiting' && told.resolve(),
    });
    // Before the first one continues: a slow second one would find it gone.
    await told.promise;
    const { entry, bytes } = entryOf('first.md', 'first\n');
    await raw.ask(pageOf(entry));
    await raw.batch(0, [{ file: 0, from: 0, bytes }]);
    expect(await raw.ask({ type: 'complete', files: 1, bytes: bytes.length })).toMatchObject({
      type: 'completed',
    });
    expect((await push).stats).toMatchObject({ added: 1, removed: 1 });
  });

  test('that finds the server with other files than it remembers sends everything once more', async () => {
    const folder = await running.receiver('changed');
    const laptop = await createLaptop(running.home, { 'a.md': 'one\n', 'b.md': 'two\n' });
    await laptop.push(running.url, { project: 'changed' });
    const other = await createLaptop(running.home, { 'c.md': 'three\n' });
    await other.push(running.url, { project: 'changed' });
    const { stats } = await laptop.push(running.url, { project: 'changed' });
    expect(stats).toMatchObject({ files: 2, added: 2, removed: 1 });
    expect(await kept(folder, 'b.md')).toBe('two\n');
  });

  test('finds a change that keeps size and time, whatever the clocks say', async () => {
    const folder = await running.receiver('skewed');
    const send = async (text: string): Promise<void> => {
      const raw = await rawClient(running.url);
      await raw.start('skewed');
      const { entry, bytes } = entryOf('a.md', text);
      await raw.ask(pageOf(entry));
      await raw.batch(0, [{ file: 0, from: 0, bytes }]);
      const completed = await raw.ask({ type: 'complete', files: 1, bytes: bytes.length });
      expect(completed).toMatchObject({ type: 'completed' });
      for (let said = await raw.hear(); said?.type !== 'stats'; said = await raw.hear())
        expect(said?.type).toBe('event');
    };
    await send('The heron waits.\n');
    await send('The eagle waits.\n');
    expect(await kept(folder, 'a.md')).toContain('eagle');
    const { result } = await running.client.call('skewed', 'search', { query: 'eagle', route: 'text' });
    expect(JSON.stringify(result)).toContain('The eagle waits.');
  });

  test('to a project with a folder of its own, or of a bad name, is refused', async () => {
    const folder = await running.folder({ 'a.md': 'text' });
    await running.client.request('POST', '/v1/projects', { id: 'own', folder });
    const laptop = await createLaptop(running.home, { 'a.md': 'text' });
    const refused = { code: 'usage-invalid' };
    await expect(laptop.push(running.url, { project: 'own' })).rejects.toMatchObject(refused);
    await expect(laptop.push(running.url, { project: '../x' })).rejects.toMatchObject(refused);
  });

  test('to a server that is not there fails at once, with the remedy', async () => {
    const laptop = await createLaptop(running.home, { 'a.md': 'text' });
    await expect(laptop.push('http://127.0.0.1:9')).rejects.toMatchObject({ code: 'server-unreachable' });
  });
});

describe('a hostile client', () => {
  const good = entryOf('good.md', 'good text\n');
  const refusals: [string, unknown, string][] = [
    ['no JSON', 'nonsense', 'usage-invalid'],
    ['an unknown message', { type: 'nonsense' }, 'usage-invalid'],
    ['an absolute path', pageOf(['/etc/passwd', 1, good.entry[2], 0]), 'usage-invalid'],
    ['a path that leads out', pageOf(['a/../../b', 1, good.entry[2], 0]), 'usage-invalid'],
    ['a drive', pageOf(['C:\\b', 1, good.entry[2], 0]), 'usage-invalid'],
    ['a path with a zero', pageOf(['a\0b', 1, good.entry[2], 0]), 'usage-invalid'],
    ['half a surrogate pair', pageOf(['a\ud800', 1, good.entry[2], 0]), 'usage-invalid'],
    ['the name of added content', pageOf(['virtual:x', 1, good.entry[2], 0]), 'usage-invalid'],
    ['an empty part of a path', pageOf(['a//b', 1, good.entry[2], 0]), 'usage-invalid'],
    ['a hash that is none', pageOf(['a', 1, 'xyz', 0]), 'usage-invalid'],
    ['a negative size', pageOf(['a', -1, good.entry[2], 0]), 'usage-invalid'],
    ['a file beyond the limit', pageOf(['a', 9_000_001, good.entry[2], 0]), 'request-too-large'],
    ['too many entries', pageOf(...Array(2001).fill(good.entry)), 'usage-invalid'],
    ['a page out of order', { ...pageOf(good.entry), first: 5 }, 'usage-invalid'],
    ['a second start', startOf('hostile'), 'usage-invalid'],
    ['the end before the contents', { type: 'complete', files: 3, bytes: 3 }, 'usage-invalid'],
    ['a batch without a header', Buffer.from([0, 0]), 'usage-invalid'],
    ['a header of bad UTF-8', Buffer.from([0, 0, 0, 2, 0xff, 0xfe]), 'usage-invalid'],
    ['a header longer than the message', Buffer.from([255, 255, 255, 255, 0]), 'usage-invalid'],
  ];
  test.each(refusals)('that sends %s is refused with a clear error', async (_, message, code) => {
    const raw = await rawClient(running.url);
    await raw.start('hostile');
    const sent = typeof message === 'string' ? raw.socket.send(message) : raw.link.send(message as object);
    await sent;
    const answer = await raw.hear();
    expect(answer).toMatchObject({ type: 'error', error: { code, remedy: expect.stringMatching(/.{5}/) } });
    expect(JSON.stringify(answer)).not.toContain(running.home);
    expect(await raw.hear()).toBeUndefined();
  });

  const lies: [string, (bytes: Buffer) => Promise<Uint8Array>][] = [
    [
      'unpacks to more than it states',
      async () => {
        const bomb = gzipSync(Buffer.alloc(50_000_000));
        const message = await encodeBatch(0, [{ file: 0, from: 0, bytes: bomb }], false);
        const text = Buffer.from(message).toString('latin1');
        return headerChanged(text, (header) => ({ ...header, gzip: true, pieces: [[0, 0, 10]] }));
      },
    ],
    [
      'has less than it states',
      async (bytes) => {
        const message = await encodeBatch(0, [{ file: 0, from: 0, bytes }], false);
        return headerChanged(message.toString('latin1'), (header) => ({ ...header, pieces: [[0, 0, 999]] }));
      },
    ],
    [
      'has another content than its hash says',
      (bytes) => encodeBatch(0, [{ file: 0, from: 0, bytes: bytes.map((byte) => byte ^ 1) }], false),
    ],
    ['has a file that no page names', (bytes) => encodeBatch(0, [{ file: 7, from: 0, bytes }], false)],
    ['begins in the midst of a file', (bytes) => encodeBatch(0, [{ file: 0, from: 3, bytes }], false)],
    ['comes out of order', (bytes) => encodeBatch(99, [{ file: 0, from: 0, bytes }], false)],
    [
      'has too many files',
      (bytes) => encodeBatch(0, Array(501).fill({ file: 0, from: 0, bytes: bytes.subarray(0, 0) }), false),
    ],
    [
      'has too many bytes',
      () => encodeBatch(0, [{ file: 0, from: 0, bytes: Buffer.alloc(5_000_000) }], false),
    ],
  ];
  test.each(lies)('whose batch %s is refused, and nothing of it is kept', async (_, lie) => {
    const raw = await rawClient(running.url);
    await raw.start('hostile');
    expect(await raw.ask(pageOf(good.entry))).toMatchObject({ type: 'need', files: [[0, 0]] });
    const answer = await raw.ask(await lie(good.bytes));
    expect(answer).toMatchObject({
      type: 'error',
      error: { code: expect.stringMatching(/usage-invalid|request-too-large/) },
    });
    expect(await raw.hear()).toBeUndefined();
  });

  test('that floods is refused', async () => {
    const raw = await rawClient(running.url);
    await raw.start('hostile');
    const flood = Array.from({ length: 500 }, () => raw.link.send({ type: 'busy' }).catch(() => undefined));
    await Promise.all(flood);
    expect(await raw.hear()).toMatchObject({ type: 'error', error: { message: /credit/ } });
  });

  test('that waits for its turn may say little, and is cut off where it says more', async () => {
    await running.receiver('waiting');
    const first = await rawClient(running.url);
    await first.start('waiting');
    const patient = await rawClient(running.url);
    expect(await patient.ask(startOf('waiting'))).toMatchObject({ type: 'waiting' });
    for (let turn = 0; turn < 20; turn += 1) await patient.link.send({ type: 'busy' });
    const hasty = await rawClient(running.url);
    expect(await hasty.ask(startOf('waiting'))).toMatchObject({ type: 'waiting' });
    hasty.socket.on('error', () => undefined);
    hasty.link.send(new Uint8Array(6_000_000)).catch(() => undefined);
    expect(await hasty.hear()).toBeUndefined();
    // Listening, it may say nothing long either; nor is half a long message kept.
    expect(patient.socket.readyState).toBe(patient.socket.OPEN);
    first.socket.terminate();
    expect(await patient.hear()).toMatchObject({ type: 'started' });
    patient.socket.terminate();
  });

  test('that stalls loses its turn to the next, whether it is silent or only says that it is busy', async () => {
    // Only here is little time given: on a busy machine a client in good faith may need more.
    const patience = { start: 2000, message: 10_000, progress: 3000 };
    const hurried = await startTestServer({ receiving: { limits, patience } });
    onTestFinished(() => hurried.server.end());
    await hurried.receiver('hostile');
    const silent = await rawClient(hurried.url);
    expect(await silent.hear()).toMatchObject({ type: 'error' });
    const raw = await rawClient(hurried.url);
    await raw.start('hostile');
    const laptop = await createLaptop(hurried.home, { 'a.md': 'text\n' });
    const push = laptop.push(hurried.url, { project: 'hostile' });
    const signs = setInterval(() => raw.link.send({ type: 'busy' }).catch(() => undefined), 300);
    expect(await raw.hear()).toMatchObject({ type: 'error', error: { message: /busy/ } });
    clearInterval(signs);
    expect((await push).stats).toMatchObject({ files: 1 });
  });

  test('that fills a project beyond its limit is refused', async () => {
    const raw = await rawClient(running.url);
    await raw.start('greedy');
    const contents = Array.from({ length: 4 }, (_, file) => entryOf(`${file}`, `${file}`.repeat(8_000_000)));
    await raw.ask(pageOf(...contents.map(({ entry }) => entry)));
    let batch = 0;
    let answer: unknown;
    for (const [file, { bytes }] of contents.entries())
      for (let from = 0; from < bytes.length && !isError(answer); from += 4_000_000, batch += 1)
        answer = await raw.batch(batch, [{ file, from, bytes: bytes.subarray(from, from + 4_000_000) }]);
    expect(answer).toMatchObject({ type: 'error', error: { code: 'request-too-large' } });
  });

  test('of another version of the protocol is told so; a newer one is answered in ours', async () => {
    const old = await rawClient(running.url);
    expect(await old.ask(startOf('hostile', -1))).toMatchObject({
      type: 'error',
      error: { code: 'version-mismatch' },
    });
    const newer = await rawClient(running.url);
    expect(await newer.ask(startOf('hostile', 2))).toMatchObject({ type: 'started', protocol: 1 });
    newer.socket.terminate();
  });

  test('whose batch was damaged on its way sends it again, and those behind it in their order', async () => {
    const raw = await rawClient(running.url);
    await raw.start('damaged');
    const other = entryOf('other.md', 'other\n');
    await raw.ask(pageOf(good.entry, other.entry));
    const whole = await encodeBatch(0, [{ file: 0, from: 0, bytes: good.bytes }], false);
    const broken = Buffer.from(whole);
    broken[broken.length - 1] = 0;
    expect(await raw.ask(broken)).toMatchObject({ type: 'nack', batch: 0 });
    const next = [{ file: 1, from: 0, bytes: other.bytes }];
    expect(await raw.batch(1, next)).toMatchObject({ type: 'nack', batch: 1 });
    expect(await raw.ask(whole)).toEqual({ type: 'ack', batch: 0 });
    expect(await raw.batch(1, next)).toEqual({ type: 'ack', batch: 1 });
    const bytes = good.bytes.length + other.bytes.length;
    expect(await raw.ask({ type: 'complete', files: 2, bytes })).toMatchObject({ type: 'completed' });
    raw.socket.terminate();
  });

  test('whose clock is years ahead makes no file newer than now', async () => {
    const folder = await running.receiver('future');
    const raw = await rawClient(running.url);
    await raw.start('future');
    await raw.ask(pageOf([...good.entry.slice(0, 3), Date.now() + 1e12]));
    await raw.batch(0, [{ file: 0, from: 0, bytes: good.bytes }]);
    await raw.ask({ type: 'complete', files: 1, bytes: good.bytes.length });
    for await (const entry of createReceivedSource(folder, () => 1e9).scan())
      expect(entry.kind === 'file' && entry.file.modifiedAt).toBeLessThanOrEqual(Date.now());
    raw.socket.terminate();
  });
});

function isError(answer: unknown): boolean {
  return (answer as { type?: string } | undefined)?.type === 'error';
}

/** A batch with another header, which states the checksum of its payload rightly. */
function headerChanged(message: string, change: (header: object) => object): Buffer {
  const bytes = Buffer.from(message, 'latin1');
  const end = 4 + bytes.readUInt32BE();
  const header = Buffer.from(JSON.stringify(change(JSON.parse(bytes.subarray(4, end).toString()))));
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(header.length);
  return Buffer.concat([prefix, header, bytes.subarray(end)]);
}
