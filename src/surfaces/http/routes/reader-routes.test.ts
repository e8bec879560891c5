import { mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { connect } from '../../../client/index.ts';
import type { ReaderNotes } from '../../../core/reader-notes.ts';
import { processEnvironment } from '../../../platform/environment.ts';
import { startTestServer } from '../server.fixture.ts';

type Kept = ReaderNotes & { questions_file: string };

let running: Awaited<ReturnType<typeof startTestServer>>;
let folder: string;
let id: string;
beforeAll(async () => {
  vi.stubEnv('HOME', await mkdtemp(join(tmpdir(), 'reader-')));
  running = await startTestServer({ environment: processEnvironment, isOpen: false });
  folder = await running.folder({
    'storm.md': '# Storm\n\nAll boats return.\n',
    'price.md': '# Price\n\nTwelve.\n',
  });
  ({ id } = await running.client.openFolder(folder));
});
afterAll(() => running.server.end());

const path = () => `/v1/projects/${id}/reader`;
const kept = async () => (await running.client.request('GET', path())) as Kept;

test('what the page remembers is a file of the user alone, outside of the project, and of this project only', async () => {
  await running.client.request('POST', path(), { asked: 'query=storm', opened: 'c1' });
  await running.client.request('POST', path(), {
    judged: { text: 'boats in a storm', path: 'storm.md', verdict: 'yes' },
  });
  const { recent, opened, questions, questions_file } = await kept();
  expect(recent.map(({ asked }) => asked)).toEqual(['query=storm']);
  expect(opened).toEqual(['c1']);
  expect(questions).toEqual([{ text: 'boats in a storm', relevant: [{ path: 'storm.md', grade: 1 }] }]);
  expect(await readFile(questions_file, 'utf8')).toBe(
    '{"text":"boats in a storm","relevant":[{"path":"storm.md","grade":1}]}\n',
  );
  if (process.platform !== 'win32') expect((await stat(questions_file)).mode & 0o077).toBe(0);
  expect(await readdir(folder)).not.toContain('questions.jsonl');
  const other = await running.client.openFolder(await running.folder({ 'a.md': '# A\n' }));
  expect(await running.client.request('GET', `/v1/projects/${other.id}/reader`)).toMatchObject({
    recent: [],
    questions: [],
  });
});

test('a picture is handed out as it was indexed, and nothing else', async () => {
  const pdf = await readFile(new URL('../../../../test/fixtures/pictures/harbour.png', import.meta.url));
  // Without the recogniser no picture is in the index: a PDF stands for both.
  const text =
    '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [3 0 R] /Count 1 >>\nendobj\n3 0 obj\n<< /Type /Page /Parent 2 0 R /MediaBox [0 0 200 200] /Contents 4 0 R /Resources << /Font << /F 5 0 R >> >> >>\nendobj\n4 0 obj\n<< /Length 45 >>\nstream\nBT /F 12 Tf 10 100 Td (All boats return) Tj ET\nendstream\nendobj\n5 0 obj\n<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n';
  const owned = await running.folder({ 'storm.pdf': text, 'storm.md': '# Storm\n' });
  await writeFile(join(owned, 'harbour.png'), pdf);
  const opened = await running.client.openFolder(owned);
  await running.client.call(opened.id, 'index', {});
  const original = (asked: string) =>
    running.client.request('POST', `/v1/projects/${opened.id}/reader/original`, { path: asked });
  expect(await original('storm.pdf')).toEqual({
    media_type: 'application/pdf',
    base64: Buffer.from(text).toString('base64'),
    words: [],
  });
  await expect(original('storm.md')).rejects.toMatchObject({ code: 'document-unsupported' });
  for (const absent of ['harbour.png', '../storm.pdf', 'quarry.toml/x', owned])
    await expect(original(absent)).rejects.toMatchObject({ code: 'document-not-found' });
  await writeFile(join(owned, 'storm.pdf'), `${text}%`);
  await expect(original('storm.pdf')).rejects.toMatchObject({ code: 'index-stale' });
});

test('nobody but the owner reads or writes it, or lists folders', async () => {
  const { result } = await running.client.call(id, 'token create', { name: 'all', admin: true });
  const stranger = connect(running.url, { token: (result as { token: string }).token });
  for (const [method, address, body] of [
    ['GET', path(), undefined],
    ['POST', path(), { asked: 'query=theirs' }],
    ['POST', `${path()}/eval`, {}],
    ['POST', `${path()}/original`, { path: 'storm.md' }],
    ['POST', '/v1/engine/folders', {}],
    ['POST', '/v1/engine/folders/find', { name: 'notes' }],
  ] as const)
    await expect(stranger.request(method, address, body)).rejects.toMatchObject({ code: 'access-denied' });
});

test('the judged questions are asked in the background, and the result is kept with the project', async () => {
  const job = (await running.client.request('POST', `${path()}/eval`, {})) as { id: string };
  await expect
    .poll(
      async () => ((await running.client.request('GET', `/v1/jobs/${job.id}`)) as { state: string }).state,
    )
    .toBe('done');
  const { result } = await running.client.call(id, 'report list', {});
  expect((result as { reports: unknown[] }).reports).toHaveLength(1);
});

test('what is no question, too long or unknown is refused, and forgetting empties the files', async () => {
  for (const change of [{ asked: 'x'.repeat(5000) }, { judged: { text: ' ', verdict: 'yes' } }, { other: 1 }])
    await expect(running.client.request('POST', path(), change)).rejects.toMatchObject({
      code: 'usage-invalid',
    });
  await running.client.request('POST', path(), { forgotten: 'searches' });
  await running.client.request('POST', path(), { forgotten: 'questions' });
  expect(await kept()).toMatchObject({ recent: [], saved: [], opened: [], questions: [] });
});
