import { mkdtemp, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Project } from '../../calls/project.ts';
import type { Store } from '../../contracts/store.ts';
import { resultOf } from '../../platform/streams.ts';
import { exportIndex } from './export-index.ts';
import { closeAll, files, forged, headEnd, importInto, indexed, maker, projectOf } from './handed.fixture.ts';
import type { HandedHeader } from './handed-file.ts';

let place: string;
let made: string;
beforeAll(async () => {
  place = await mkdtemp(join(tmpdir(), 'handed-'));
  made = join(place, 'index.quarry');
  const project = await projectOf(files);
  await indexed(project);
  await project.add({ name: 'secret note', text: 'The heron is called Otto.' });
  const exported = await resultOf(
    exportIndex(await project.store(), project.settings, maker, { file: made, all: false }),
  );
  expect(exported).toMatchObject({ documents: 3, left: 2 });
});
afterAll(async () => {
  await closeAll();
  await rm(place, { recursive: true });
});

describe('an index that is handed over', () => {
  test('answers in a clone as if it had been made there, and changed files alone are read', async () => {
    const clone = await projectOf({
      ...files,
      'docs/pond.md': '# Pond\n\nThe pond is dry.\n',
      'new.md': '# New\n\nNew.\n',
    });
    expect(await importInto(clone, made)).toMatchObject({ taken: 2, changed: 1, absent: 0, present: 0 });
    // The changed file, the new one, and the mail that did not travel.
    expect(await indexed(clone)).toBe(3);
    const { hits, warnings } = await clone.search('who feeds the heron');
    expect([hits[0]?.document.uri, warnings]).toEqual(['src/heron.js', []]);
    expect((await clone.search('pond is dry')).hits[0]?.document.uri).toBe('docs/pond.md');
    const defects = [];
    for await (const defect of clone.verify()) defects.push(defect);
    expect(defects).toEqual([]);
    // Once more there is nothing to take.
    expect(await importInto(clone, made)).toMatchObject({ taken: 0, changed: 1, present: 2 });
  });

  test('has the same chunks and vectors as indexing here would make', async () => {
    const [own, clone] = [await projectOf(files), await projectOf(files)];
    await indexed(own);
    await importInto(clone, made);
    const [ours, theirs] = [await own.store(), await clone.store()];
    for (const record of await theirs.documents()) {
      const range = { documentId: record.id, first: 0, last: 99 };
      expect(await theirs.chunksIn([range])).toEqual(await ours.chunksIn([range]));
    }
    const [[space = ''] = []] = [...(await theirs.state()).spaces];
    const missing = await theirs.missingVectors(space, 10);
    expect(missing).toEqual([]);
  });

  test('keeps secrets blacked out, and holds no added content and no mail', async () => {
    const bytes = await readFile(made);
    const text = gunzipSync(bytes.subarray(headEnd(bytes))).toString();
    expect(text).toContain('The heron stands in the pond');
    for (const secret of ['AKIAIOSFODNN7EXAMPLA', 'Otto', 'Bring fish']) expect(text).not.toContain(secret);
  });

  test('pairs no old hash with the text of a run that went on beside it', async () => {
    const project = await projectOf({
      'a.md': '# Old\n\nThe old heron.\n',
      'b.md': '# Other\n\nThe other heron.\n',
    });
    await indexed(project);
    const store = await project.store();
    let isFirst = true;
    const beside: Store = {
      ...store,
      async documents() {
        const records = await store.documents();
        if (!isFirst) return records;
        isFirst = false;
        // Now the list of documents is old.
        await writeFile(join(project.folder, 'a.md'), '# New\n\nThe heron that is much younger.\n');
        await indexed(project);
        return records;
      },
    };
    const file = join(place, 'beside.quarry');
    const exported = await resultOf(exportIndex(beside, project.settings, maker, { file, all: false }));
    expect(exported).toMatchObject({ documents: 1, left: 1 });
    const bytes = await readFile(file);
    expect(gunzipSync(bytes.subarray(headEnd(bytes))).toString()).not.toMatch(/much younger|old heron/);
  });

  test('brings nothing that is ignored here', async () => {
    const clone = await projectOf({ ...files, '.gitignore': 'private/\n' });
    expect(await importInto(clone, made)).toMatchObject({ taken: 2, absent: 1 });
    await indexed(clone);
    expect((await (await clone.store()).paths()).some((path) => path.startsWith('private'))).toBe(false);
  });
});

/** A record as a forger writes it. */
interface Loose {
  readonly document: Record<string, unknown>;
  readonly chunks: { text: string; id: string }[];
  vectors: Record<string, unknown>;
}

describe('is refused, and nothing of it taken:', () => {
  let clone: Project;
  beforeAll(async () => {
    clone = await projectOf(files);
  });
  const code = async (path: string) =>
    importInto(clone, path).then(
      () => 'taken',
      (thrown) => thrown.code,
    );
  const edited = async (edit: (bytes: Buffer) => Buffer): Promise<string> => {
    const path = join(place, `${Math.random()}.quarry`);
    await writeFile(path, edit(await readFile(made)));
    return path;
  };
  const saying = (said: Partial<HandedHeader>, packed?: Buffer) =>
    forged(made, (header) => {
      Object.assign(header, said);
      return packed;
    });
  const changedRecord = (change: (record: Loose) => unknown) =>
    forged(made, (_, lines) => {
      const record = JSON.parse(lines[0] ?? '');
      change(record);
      lines[0] = JSON.stringify(record);
      return undefined;
    });

  test('a file whose maker is not trusted, before anything is unpacked', async () => {
    const path = await forged(made, (_, lines) => {
      lines.push('x'.repeat(100));
      return Buffer.alloc(2 ** 16);
    });
    await expect(
      importInto(clone, path, async () => {
        throw new Error('not trusted');
      }),
    ).rejects.toThrow('not trusted');
  });

  test('a tampered, truncated, lengthened or foreign file', async () => {
    const end = headEnd(await readFile(made));
    const flipped = (at: number) =>
      edited((bytes) => {
        bytes[at] = (bytes[at] ?? 0) ^ 1;
        return bytes;
      });
    for (const path of [await flipped(40), await flipped(end - 10), await flipped(end + 20)])
      expect(await code(path)).toBe('store-foreign');
    const cut = await edited((bytes) => bytes);
    await truncate(cut, end + 30);
    expect(await code(cut)).toBe('store-foreign');
    expect(await code(await edited((bytes) => Buffer.concat([bytes, Buffer.from('more')])))).toBe(
      'store-foreign',
    );
    for (const text of ['', 'quarry', 'quarry index 1\n{}\n', '\0'.repeat(99)]) {
      const path = await edited(() => Buffer.from(text));
      expect(['usage-invalid', 'store-foreign']).toContain(await code(path));
    }
    expect(await code(place)).toBe('usage-invalid');
    expect(await code(join(place, 'absent'))).toBe('file-unreadable');
    if (process.platform !== 'win32') expect(await code('/dev/zero')).toBe('usage-invalid');
  });

  test('one of a newer or earlier Quarry, of other settings or of another model, with what to do', async () => {
    const newer = await edited((bytes) =>
      Buffer.from(bytes.toString('latin1').replace('quarry index 1', 'quarry index 9'), 'latin1'),
    );
    expect(await code(newer)).toBe('store-too-new');
    const recipes = (text: string) => saying({ recipe: text });
    expect(await code(await recipes('[999,{}]'))).toBe('store-too-new');
    expect(await code(await recipes('[1,{}]'))).toBe('store-foreign');
    const other = await projectOf(files, { 'index.redact_secrets': false });
    await expect(importInto(other, made)).rejects.toMatchObject({
      code: 'usage-invalid',
      message: expect.stringContaining('other settings'),
    });
    const model = await saying({ spaces: [{ name: 'other-model', dimensions: 256 }] });
    await expect(importInto(clone, model)).rejects.toMatchObject({
      message: expect.stringContaining('another model'),
    });
  });

  test('one that unpacks to more than it says, or has more or fewer documents', async () => {
    const bomb = gzipSync(Buffer.alloc(2 ** 26, 'a'));
    expect(await code(await saying({ unpacked: 1000 }, bomb))).toBe('store-foreign');
    expect(await code(await saying({ unpacked: 2 ** 26 }, bomb))).toBe('store-foreign');
    expect(await code(await saying({ documents: 9 }))).toBe('store-foreign');
    expect(await code(await forged(made, (_, lines) => void lines.push(lines[0] ?? '')))).toBe(
      'store-foreign',
    );
  });

  test('one that claims text, identities or vectors that cannot be', async () => {
    const changes: ((record: Loose) => object)[] = [
      ({ chunks: [first] }) => Object.assign(first ?? {}, { text: 'Pay the heron.' }),
      ({ chunks: [first] }) => Object.assign(first ?? {}, { id: '0123456789abcdef' }),
      (record) => Object.assign(record, { vectors: { other: [] } }),
      (record) =>
        Object.assign(record, {
          vectors: Object.fromEntries(Object.keys(record.vectors).map((space) => [space, ['AAAA']])),
        }),
    ];
    for (const change of changes) expect(await code(await changedRecord(change))).toBe('store-foreign');
  });

  test.skipIf(process.platform === 'win32')('paths outside, and links, lead nowhere', async () => {
    const outside = join(place, 'outside.md');
    await writeFile(outside, files['docs/pond.md']);
    const linked = await projectOf({ 'a.md': '# A\n\nText.\n' });
    await symlink(outside, join(linked.folder, 'link.md'));
    for (const uri of ['../outside.md', outside, 'link.md', 'virtual:x']) {
      const path = await forged(made, (header, lines) => {
        const record = JSON.parse(lines.find((line) => line.includes('The heron stands')) ?? '');
        record.document.uri = uri;
        record.chunks = [];
        record.vectors = Object.fromEntries(Object.keys(record.vectors).map((space) => [space, []]));
        lines.splice(0, lines.length, JSON.stringify(record));
        header.documents = 1;
        return undefined;
      });
      expect(await importInto(linked, path)).toMatchObject({ taken: 0, absent: 1 });
    }
  });
});
