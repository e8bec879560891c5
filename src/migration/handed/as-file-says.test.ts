import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chunkIds, sha256 } from '../../core/identity.ts';
import {
  chatGptExport,
  slackDay,
  slackUsers,
  whatsAppChat,
} from '../../drivers/extractors/chats/chats.fixture.ts';
import { closeAll, exportOf, files, forged, importInto, indexed, projectOf } from './handed.fixture.ts';

let place: string;
let made: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'handed-'));
  made = join(place, 'index.quarry');
  const project = await projectOf(files);
  await indexed(project);
  await exportOf(project, made);
});
afterAll(async () => {
  await closeAll();
  await rm(place, { recursive: true });
});

/** A record as a forger writes it. */
interface Loose {
  readonly document: Record<string, unknown>;
  readonly chunks: { text: string; id: string }[];
  vectors: Record<string, unknown>;
}

test('takes no text that an unchanged file does not have, though its maker is trusted', async () => {
  const mine = await projectOf(files);
  const path = await forged(made, (_, lines) => {
    const at = lines.findIndex((line) => line.includes('docs/pond.md'));
    // Its identities fit, as if the maker's file had said so.
    lines[at] = (lines[at] ?? '').replaceAll('stands in the pond', 'drowns in the pond');
    const record = JSON.parse(lines[at] ?? '') as Loose;
    for (const [index, id] of chunkIds(
      'docs/pond.md',
      record.chunks.map(({ text }) => text),
    ).entries())
      Object.assign(record.chunks[index] ?? {}, { id });
    lines[at] = JSON.stringify(record);
  });
  expect(await importInto(mine, path)).toMatchObject({ taken: 2, changed: 1 });
  expect(await indexed(mine)).toBe(2);
  const { hits } = await mine.search('heron in the pond', { update: false });
  expect(hits.map(({ chunk }) => chunk.text).join()).toContain('stands in the pond');
  expect(hits.map(({ chunk }) => chunk.text).join()).not.toContain('drowns');
});

/** The file of the maker, with another record of the pond. */
const pondSaying = (change: (record: Record<string, never>) => void) =>
  forged(made, (_, lines) => {
    const at = lines.findIndex((line) => line.includes('docs/pond.md'));
    const record = JSON.parse(lines[at] ?? '');
    change(record);
    lines[at] = JSON.stringify(record);
    return undefined;
  });

test('takes no sentence for a file that is no text here, though its hash is right', async () => {
  const binary = '\0\u0001\u0002\u0003'.repeat(50);
  const mine = await projectOf({ ...files, 'docs/pond.md': binary });
  const path = await pondSaying((record) =>
    Object.assign(record.document ?? {}, { revision: sha256(Buffer.from(binary)) }),
  );
  expect(await importInto(mine, path)).toMatchObject({ taken: 2, changed: 1 });
  await indexed(mine);
  expect((await (await mine.store()).paths()).includes('docs/pond.md')).toBe(false);
});

test('takes no lines and places that are not those of the file, and what is said of a document is said by its file', async () => {
  const chunkSaying = (said: object) => pondSaying(({ chunks }) => Object.assign(chunks?.[0] ?? {}, said));
  for (const said of [
    { place: { kind: 'lines', first: 70, last: 80 } },
    {
      place: {
        kind: 'messages',
        first: { message: 1, subject: 'Ada' },
        last: { message: 1, subject: 'Ada' },
      },
    },
  ]) {
    const mine = await projectOf(files);
    expect(await importInto(mine, await chunkSaying(said))).toMatchObject({ taken: 2, changed: 1 });
  }
  const moved = await pondSaying(({ chunks }) => {
    const [first] = chunks as unknown as { span: object }[];
    Object.assign(first?.span ?? {}, { firstLine: 70, lastLine: 80 });
  });
  expect(await importInto(await projectOf(files), moved)).toMatchObject({ taken: 2, changed: 1 });
  const mine = await projectOf(files);
  const described = await pondSaying(({ document }) =>
    Object.assign(document ?? {}, { title: 'Pay', type: 'note', metadata: { authors: ['Mallory'] } }),
  );
  expect(await importInto(mine, described)).toMatchObject({ taken: 3 });
  const documents = await (await mine.store()).documents();
  expect(documents.find(({ uri }) => uri === 'docs/pond.md')).toMatchObject({ title: 'Pond', type: 'doc' });
  expect(JSON.stringify(documents)).not.toContain('Mallory');
});

test('takes the chats of a maker where the same exports are here, and none that says something else', async () => {
  const chats = {
    'chat.txt': whatsAppChat,
    'slack/users.json': JSON.stringify(slackUsers),
    'slack/general/2026-03-01.json': JSON.stringify(slackDay),
    'conversations.json': JSON.stringify(chatGptExport),
    'data.csv': 'name,fish\nOtto,12\n',
  };
  const project = await projectOf(chats);
  await writeFile(join(project.folder, 'app.log.gz'), gzipSync('ERROR the heron is gone\n'));
  const read = await indexed(project);
  const file = join(place, 'chats.quarry');
  await exportOf(project, file, true);
  const clone = await projectOf(chats);
  await writeFile(join(clone.folder, 'app.log.gz'), await readFile(join(project.folder, 'app.log.gz')));
  expect(await importInto(clone, file)).toMatchObject({ taken: read, changed: 0, absent: 0 });
  const [ours, theirs] = [await project.store(), await clone.store()];
  for (const record of await theirs.documents()) {
    const range = { documentId: record.id, first: 0, last: 99 };
    expect(await theirs.chunksIn([range])).toEqual(await ours.chunksIn([range]));
  }
  const lying = await forged(file, (_, lines) => {
    const at = lines.findIndex((line) => line.includes('chat.txt'));
    const record = JSON.parse(lines[at] ?? '');
    record.document.type = 'doc';
    record.chunks[0].place.first.subject = 'Mallory';
    lines[at] = JSON.stringify(record);
    return undefined;
  });
  expect(await importInto(await projectOf(chats), lying)).toMatchObject({ taken: read - 2, changed: 1 });
});
