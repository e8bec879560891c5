import { appendFile, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { timeIn } from '../core/documents/mail.ts';
import type { IndexSummary } from '../core/index-summary.ts';
import { msgOf } from '../drivers/extractors/msg/compound-file.fixture.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { verifyStore } from '../index/verify.ts';
import { putDocument } from '../index/write.ts';
import { openProject } from '../project/open-project.ts';

const day = 24 * 3600 * 1000;
const ago = (days: number) => new Date(Date.now() - days * day).toUTCString();

/** One message of a mailbox; `date` is its header, which may be left out. */
const message = (subject: string, date?: string) =>
  [
    'From ann@example.org Sat Jan  3 01:05:34 2026',
    'From: Ann <ann@example.org>',
    `Subject: ${subject}`,
    ...(date === undefined ? [] : [`Date: ${date}`]),
    '',
    `The harvest report of ${subject}.`,
    '',
    '',
  ].join('\n');

async function open(files: Readonly<Record<string, string>>, more: Readonly<Record<string, unknown>> = {}) {
  const folder = await temporaryFolder(files);
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing', ...more } });
  return { folder, project };
}

async function index(project: Project): Promise<IndexSummary> {
  for await (const event of project.index()) if (event.type === 'index-end') return event.summary;
  throw new TypeError('no summary');
}

async function subjects(project: Project, since?: number): Promise<string[]> {
  const filter = since === undefined ? {} : { filter: { since } };
  const { hits } = await project.search('harvest report', { topK: 20, ...filter });
  return hits.map(({ chunk }) => chunk.section).sort();
}

const noted = async (project: Project) => (await project.status()).degraded.map(({ detail }) => detail);

test('a message of Outlook is as old as it says, whatever its file is', async () => {
  const subject = (text: string) => ({ '__substg1.0_0037001F': Buffer.from(text, 'utf16le') });
  const sent = (days: number) => new Date(Date.now() - days * day);
  const folder = await temporaryFolder({
    'old.msg': msgOf(subject('Old harvest report'), sent(90)),
    'young.msg': msgOf(subject('Young harvest report'), sent(5)),
  });
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  expect((await index(project)).skipped).toMatchObject({ 'too-old': 1 });
  expect(await subjects(project)).toEqual(['Young harvest report']);
  expect(await subjects(project, Date.now() - 2 * day)).toEqual([]);
  await project.close();
});

describe('a mailbox', () => {
  test('keeps its young messages and leaves out the old ones, and says how many', async () => {
    const box = [message('Old', ago(90)), message('Young', ago(5)), message('Older', ago(300))].join('');
    const { project } = await open({ 'inbox.mbox': box });
    await index(project);
    expect(await subjects(project)).toEqual(['Young']);
    expect(await noted(project)).toEqual([
      '2 of 3 messages left out: email older than 60 days (max_age_days)',
    ]);
    await project.close();
  });

  test('is filtered message by message', async () => {
    const box = [message('Ten', ago(10)), message('Two', ago(2)), message('Forty', ago(40))].join('');
    const { project } = await open({ 'inbox.mbox': box });
    await index(project);
    expect(await subjects(project, Date.now() - 20 * day)).toEqual(['Ten', 'Two']);
    const { hits } = await project.search('harvest', { filter: { until: Date.now() - 20 * day } });
    expect(hits.map(({ chunk }) => chunk.section)).toEqual(['Forty']);
    await project.close();
  });

  test('loses messages that grow too old, without being read again', async () => {
    const box = [message('Ten', ago(10)), message('Two', ago(2)), message('Forty', ago(40))].join('');
    const { project } = await open({ 'inbox.mbox': box });
    await index(project);
    const store = await project.store();
    const [document] = await store.documents();
    const [entry] = (await store.manifest()).filter(({ uri }) => uri === 'inbox.mbox');
    if (!document || !entry) throw new TypeError('nothing indexed');
    // The same mailbox a month later: all its messages are thirty days older.
    const { embeddingKey } = await import('../core/identity.ts');
    const { embeddedText } = await import('../core/chunk.ts');
    const older = (await chunksOf(store, document.id)).map((chunk) => ({
      chunk: { ...chunk, writtenAt: (chunk.writtenAt ?? 0) - 30 * day },
      embeddingKey: embeddingKey(embeddedText(chunk)),
    }));
    await putDocument(store, {
      document: { ...document, modifiedAt: document.modifiedAt - 30 * day },
      chunks: older,
      manifest: entry,
    });
    expect((await index(project)).chunks).toMatchObject({ total: 2, embedded: 0 });
    expect(await subjects(project)).toEqual(['Ten', 'Two']);
    expect(await noted(project)).toEqual([
      '1 of 3 messages left out: email older than 60 days (max_age_days)',
    ]);
    for await (const defect of verifyStore(store)) expect.fail(defect.detail);
    expect((await index(project)).documents).toMatchObject({ indexed: 0, unchanged: 1 });
    await project.close();
  });

  test('that grows by a message gets one new vector', async () => {
    const box = [message('One', ago(3)), message('Two', ago(2))].join('');
    const { folder, project } = await open({ 'inbox.mbox': box }, { 'cache.max_bytes': 0 });
    expect((await index(project)).chunks).toMatchObject({ embedded: 2 });
    await appendFile(join(folder, 'inbox.mbox'), message('Three', ago(1)));
    expect((await index(project)).chunks).toMatchObject({ total: 3, embedded: 1 });
    await project.close();
  });

  test('of old messages only is left out as a whole', async () => {
    const { project } = await open({ 'inbox.mbox': message('A', ago(70)) + message('B', ago(80)) });
    expect((await index(project)).skipped).toMatchObject({ 'too-old': 1 });
    expect(await subjects(project)).toEqual([]);
    await project.close();
  });
});

describe('a single e-mail', () => {
  const headers = (days: number, date = 'Date') =>
    `From: Bo\nSubject: Plan ${days}\n${date}: ${ago(days)}\n\nThe harvest.`;

  test('is as old as it says, as .eml, as plain text and in a file of a type of its own', async () => {
    const { project } = await open(
      {
        'old.eml': headers(90),
        'new.eml': headers(9),
        'archive/old.txt': headers(91),
        'archive/sent.txt': headers(93, 'Sent'),
        'archive/new.txt': headers(8),
        'cur/1700000000.M1.host:2,S': `Return-Path: <bo@x>\n${headers(92)}`,
        'mail/old.md': headers(94),
        'mail/new.md': headers(7),
      },
      { types: { email: ['mail/**'] } },
    );
    expect((await index(project)).skipped).toMatchObject({ 'too-old': 5 });
    const paths = await (await project.store()).paths();
    expect(paths).toEqual(['archive/new.txt', 'mail/new.md', 'new.eml']);
    const since = { filter: { since: Date.now() - 8.5 * day } };
    const { hits } = await project.search('harvest', since);
    expect(hits.map(({ document }) => document.uri).sort()).toEqual(['archive/new.txt', 'mail/new.md']);
    await project.close();
  });

  test('is as old as its file where its date cannot be believed, and says so', async () => {
    const dates = ['Fri, 1 Jan 2100 00:00:00 +0000', 'Thu, 1 Jan 1970 00:00:00 +0000', 'soon 5', ''];
    const files = dates.map((date, at) => [`${at}.eml`, `From: Bo\nSubject: S\nDate: ${date}\n\nHarvest.`]);
    const { folder, project } = await open(Object.fromEntries(files));
    const long = new Date(Date.now() - 100 * day);
    await utimes(join(folder, '0.eml'), long, long);
    expect((await index(project)).skipped).toMatchObject({ 'too-old': 1 });
    const note = "1 of 1 messages without a date that can be believed: the file's own counts";
    expect(await noted(project)).toEqual([note, note, note]);
    await project.close();
  });

  test('of a patch is no reason to leave the patch out', async () => {
    const patch = `From ${'a1'.repeat(20)} Mon Sep 17 00:00:00 2001\n${headers(400)}\n---\n a | 1 +\n`;
    const { project } = await open({ '0001-plan.patch': patch });
    await index(project);
    expect(await (await project.store()).paths()).toEqual(['0001-plan.patch']);
    await project.close();
  });
});

test('dates are understood in all zones and forms of e-mail', () => {
  const noon = Date.UTC(2026, 2, 3, 12);
  for (const date of [
    'Tue, 3 Mar 2026 12:00:00 +0000',
    'Tue, 3 Mar 2026 14:00:00 +0200 (CEST)',
    '3 Mar 26 04:00:00 PST',
    'Tue, 3 Mar 2026 12:00:00 XYZ',
    '2026-03-03T12:00:00Z',
  ])
    expect(timeIn(date)).toBe(noon);
  for (const date of ['yesterday 1', '', 'Tuesday', undefined]) expect(timeIn(date)).toBeUndefined();
});
