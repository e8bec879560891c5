import { execFileSync } from 'node:child_process';
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { localSource, scratchTree, walk } from './scratch-tree.fixture.ts';

const runsAsRoot = process.getuid?.() === 0;

describe('walk', () => {
  test('gives files before folders, each by name, the same every time', async () => {
    const folder = scratchTree({ 'b/z': 'x', 'b/a/y': 'x', a: 'x', c: 'x', 'B/q': 'x', 'é/w': 'x' });
    const first = await walk(folder);
    expect(first.files).toEqual(['a', 'c', 'B/q', 'b/z', 'b/a/y', 'é/w']);
    expect((await walk(folder)).files).toEqual(first.files);
  });

  test('reports the size and the time of the last change', async () => {
    const folder = scratchTree({ 'a.md': 'héllo' });
    for await (const entry of localSource(folder).scan()) {
      expect(entry).toMatchObject({ kind: 'file', file: { uri: 'a.md', size: 6 } });
      expect(entry.kind === 'file' && entry.file.modifiedAt).toBeGreaterThan(1.5e12);
      expect(entry.kind === 'file' && entry.file.changedAt).toBeGreaterThan(1.5e12);
    }
  });

  test('follows no link: loops end, targets are found once, and links out are named', async () => {
    const outside = scratchTree({ 'private.txt': 'x' });
    const folder = scratchTree({ 'real/a.md': 'x' });
    symlinkSync('.', join(folder, 'real', 'loop'));
    symlinkSync('real/a.md', join(folder, 'alias.md'));
    symlinkSync('real', join(folder, 'alias'));
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(join(outside, 'private.txt'), join(folder, 'out.txt'));
    symlinkSync('nothing', join(folder, 'broken'));
    symlinkSync('self', join(folder, 'self'));
    const { files, skipped } = await walk(folder);
    expect(files).toEqual(['real/a.md']);
    expect(skipped.map(({ uri, reason }) => `${uri} ${reason}`)).toEqual([
      ...['alias not-a-file', 'alias.md not-a-file', 'broken not-a-file', 'out outside-root'],
      ...['out.txt outside-root', 'self not-a-file', 'real/loop not-a-file'],
    ]);
  });

  test('reports pipes and sockets without opening them', async () => {
    const folder = scratchTree({ 'a.md': 'x' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    const server = createServer();
    await new Promise<void>((done) => server.listen(join(folder, 'socket'), done));
    const { files, reports } = await walk(folder);
    await new Promise((done) => server.close(done));
    expect(files).toEqual(['a.md']);
    expect(reports).toEqual(['pipe not-a-file named pipe', 'socket not-a-file socket']);
  });

  test.skipIf(runsAsRoot)('continues past a folder that cannot be read', async () => {
    const folder = scratchTree({ 'closed/a': 'x', 'open/b': 'x' });
    chmodSync(join(folder, 'closed'), 0);
    const { files, reports } = await walk(folder);
    chmodSync(join(folder, 'closed'), 0o700);
    expect(files).toEqual(['open/b']);
    expect(reports).toEqual(['closed/ unreadable EACCES: permission denied']);
  });

  test('continues when files and folders vanish or change kind under it', async () => {
    const names = Array.from({ length: 200 }, (_, index) => `f${String(index).padStart(3, '0')}`);
    const folder = scratchTree({
      ...Object.fromEntries(names.map((name) => [name, 'x'])),
      'gone/a': 'x',
      'kept/b': 'x',
    });
    const seen: string[] = [];
    for await (const entry of localSource(folder).scan()) {
      if (seen.length === 0) {
        unlinkSync(join(folder, 'f199'));
        rmSync(join(folder, 'gone'), { recursive: true });
        unlinkSync(join(folder, 'f198'));
        symlinkSync('f000', join(folder, 'f198'));
      }
      seen.push(entry.kind === 'file' ? entry.file.uri : `${entry.skipped.uri} ${entry.skipped.rule}`);
    }
    expect(seen).toEqual([
      ...names.slice(0, 198),
      ...['f198 symbolic link', 'f199 no longer there', 'gone/ no longer there', 'kept/b'],
    ]);
  });

  test('reaches the bottom of 300 nested folders', async () => {
    const deep = `${'d/'.repeat(300)}end.md`;
    expect((await walk(scratchTree({ [deep]: 'x' }))).files).toEqual([deep]);
  });

  test('stops at once when it is cancelled', async () => {
    const folder = scratchTree(
      Object.fromEntries(Array.from({ length: 300 }, (_, index) => [`d${index % 7}/${index}`, 'x'])),
    );
    const controller = new AbortController();
    let seen = 0;
    const walking = (async () => {
      for await (const _ of localSource(folder).scan({ signal: controller.signal })) {
        seen++;
        if (seen === 10) controller.abort();
      }
    })();
    await expect(walking).rejects.toMatchObject({ code: 'interrupted' });
    expect(seen).toBe(10);
    const before = localSource(folder).scan({ signal: AbortSignal.abort() })[Symbol.asyncIterator]();
    await expect(before.next()).rejects.toMatchObject({ code: 'interrupted' });
  });

  test('keeps strange names apart from paths', async () => {
    const folder = scratchTree({
      'a\\b.md': 'x',
      '\\lead': 'x',
      'x\\..\\y': 'x',
      'nl\nname': 'x',
      '%2e%2e': 'x',
    });
    const { files, skipped } = await walk(folder);
    expect(files).toEqual(['%2e%2e', 'a\\b.md', 'nl\nname']);
    expect(skipped.map((skip) => skip.reason)).toEqual(['unreadable', 'unreadable']);
    for (const uri of files) expect(await localSource(folder).read(uri)).toEqual(Buffer.from('x'));
  });

  test('reports a name that is not UTF-8', async () => {
    const folder = scratchTree({ 'a.md': 'x' });
    writeFileSync(Buffer.concat([Buffer.from(`${folder}/`), Buffer.from([0x66, 0xff, 0x66])]), 'x');
    expect((await walk(folder)).reports).toEqual(['f\uFFFDf unreadable the name is not valid UTF-8']);
  });

  test('reports names that read the same once', async () => {
    const folder = scratchTree({ 'a.md': 'x', 'g\uFFFD': 'x' });
    const named = (...bytes: number[]) => Buffer.concat([Buffer.from(`${folder}/`), Buffer.from(bytes)]);
    for (const name of [named(0x66, 0xff), named(0x66, 0xfe), named(0x67, 0xff)]) writeFileSync(name, 'x');
    const { files, reports } = await walk(folder);
    expect(files).toEqual(['a.md', 'g\uFFFD']);
    expect(reports).toEqual(['f\uFFFD unreadable the name is not valid UTF-8']);
  });
});

describe('roots', () => {
  test('inside the project keep their uris, and overlapping ones count once', async () => {
    const folder = scratchTree({
      '.gitignore': '*.tmp\n',
      'docs/a.md': 'x',
      'docs/in/b.md': 'x',
      'src/c.ts': 'x',
      'docs/d.tmp': 'x',
    });
    const inner = await walk(folder, { roots: ['docs', 'docs/in', join(folder, 'docs')] });
    expect(inner.files).toEqual(['docs/a.md', 'docs/in/b.md']);
    expect(inner.reports).toEqual(['docs/d.tmp ignored .gitignore:1 *.tmp']);
    await expect(localSource(folder, { roots: ['docs'] }).read('src/c.ts')).rejects.toMatchObject({
      code: 'path-outside-root',
    });
  });

  test('elsewhere go by their name, made unique where it is taken', async () => {
    const one = scratchTree({ 'notes/a.md': 'one', 'notes/.gitignore': 'b.md\n', 'notes/b.md': 'x' });
    const two = scratchTree({ 'notes/a.md': 'two' });
    const folder = scratchTree({ 'x.md': 'x', 'notes-2/c.md': 'x' });
    const roots = ['.', join(one, 'notes'), join(two, 'notes')];
    const { files, reports } = await walk(folder, { roots });
    expect(files).toEqual(['x.md', 'notes-2/c.md', 'notes/.gitignore', 'notes/a.md', 'notes-3/a.md']);
    expect(reports).toEqual(['notes/b.md ignored notes/.gitignore:1 b.md']);
    const source = localSource(folder, { roots });
    expect(Buffer.from(await source.read('notes/a.md')).toString()).toBe('one');
    expect(Buffer.from(await source.read('notes-3/a.md')).toString()).toBe('two');
    expect(Buffer.from(await source.read('notes-2/c.md')).toString()).toBe('x');
  });

  test('around the project leave the project to itself', async () => {
    const outer = scratchTree({ 'project/a.md': 'x', 'other/b.md': 'x' });
    const { files } = await walk(join(outer, 'project'), { roots: ['.', outer] });
    expect(files).toEqual(['a.md', `${basename(outer)}/other/b.md`]);
  });

  test('that cannot be looked at are reported each, and the others are walked', async () => {
    const outside = scratchTree({ 'notes/a.md': 'x' });
    const folder = scratchTree({ 'x.md': 'x', file: 'x' });
    const roots = ['.', join(outside, 'missing'), join(outside, 'notes'), 'file'];
    const { files, reports, troubles } = await walk(folder, { roots });
    expect(files).toEqual(['file', 'x.md', 'notes/a.md']);
    expect(reports).toEqual([
      'missing/ unreadable no longer there',
      expect.stringMatching(/^file\/ unreadable .*it is not a folder/),
    ]);
    expect(troubles.map(({ isEmpty }) => isEmpty)).toEqual([false, false]);
    const [missing] = troubles;
    expect(missing?.error).toMatchObject({ code: 'project-not-found' });
    expect(missing?.error.message).toContain(join(outside, 'missing'));
    expect(['missing/a.md', 'notes/a.md', 'x.md'].map((uri) => missing?.holds(uri))).toEqual([
      ...[true, false, false],
    ]);
  });

  test('keep their names while one of them is missing', async () => {
    const one = scratchTree({ 'notes/a.md': 'one' });
    const two = scratchTree({ 'notes/a.md': 'two' });
    const folder = scratchTree({ 'x.md': 'x' });
    const roots = ['.', join(one, 'notes'), join(two, 'notes')];
    rmSync(join(one, 'notes'), { recursive: true });
    const { files, skipped } = await walk(folder, { roots });
    expect(files).toEqual(['x.md', 'notes-2/a.md']);
    expect(skipped.map(({ uri }) => uri)).toEqual(['notes/']);
  });

  test('keep their names while one of the project with such a name is missing', async () => {
    const elsewhere = scratchTree({ 'docs/a.md': 'elsewhere' });
    const folder = scratchTree({ 'docs/a.md': 'own', 'src/b.md': 'x' });
    const roots = ['docs', 'src', join(elsewhere, 'docs')];
    expect((await walk(folder, { roots })).files).toEqual(['docs/a.md', 'src/b.md', 'docs-2/a.md']);
    rmSync(join(folder, 'docs'), { recursive: true });
    const { files, skipped } = await walk(folder, { roots });
    expect(files).toEqual(['src/b.md', 'docs-2/a.md']);
    expect(skipped.map(({ uri }) => uri)).toEqual(['docs/']);
  });

  test('that hold nothing differ from those whose files are left out', async () => {
    const outside = scratchTree({ 'ignored/.gitignore': '*\n' });
    const folder = scratchTree({ '.quarry/index': 'x' });
    mkdirSync(join(outside, 'bare'));
    const roots = ['.', join(outside, 'bare'), join(outside, 'ignored')];
    const { skipped, troubles } = await walk(folder, { roots });
    // The project folder holds the index, which a drive that is not mounted would not.
    expect(skipped.filter(({ reason }) => reason === 'empty').map(({ uri }) => uri)).toEqual(['bare/']);
    expect(troubles.map(({ isEmpty }) => isEmpty)).toEqual([true]);
    const [bare] = troubles;
    expect(['a.md', 'bare/a.md', 'ignored/a.md'].map((uri) => bare?.holds(uri))).toEqual([
      false,
      true,
      false,
    ]);
    expect(bare?.error.remedy).toContain('quarry index --full');
  });

  test.skipIf(runsAsRoot)('that nobody may read stop the walk only where nothing else is left', async () => {
    const closed = scratchTree({ 'a.md': 'x' });
    const folder = scratchTree({ 'x.md': 'x' });
    chmodSync(closed, 0);
    const found = await walk(folder, { roots: ['.', closed] });
    const alone = await walk(folder, { roots: [closed] }).catch((thrown) => thrown);
    chmodSync(closed, 0o700);
    expect(found.files).toEqual(['x.md']);
    expect(found.troubles[0]?.error.code).toBe('file-unreadable');
    expect(alone).toMatchObject({ code: 'file-unreadable' });
  });

  test('that are missing, no folder, or lead out of the project by a link stop the walk', async () => {
    const outside = scratchTree({ 'a.md': 'x' });
    const folder = scratchTree({ 'file.md': 'x' });
    symlinkSync(outside, join(folder, 'docs'));
    await expect(walk(folder, { roots: ['missing'] })).rejects.toMatchObject({ code: 'project-not-found' });
    await expect(walk(folder, { roots: ['file.md'] })).rejects.toMatchObject({ code: 'project-not-found' });
    await expect(walk(folder, { roots: ['docs'] })).rejects.toMatchObject({ code: 'config-invalid' });
    await expect(walk(folder, { roots: ['..'] })).rejects.toMatchObject({ code: 'config-invalid' });
  });
});

describe('read', () => {
  test('says that a file is gone, but not while its whole root may be', async () => {
    const folder = scratchTree({ 'docs/a.md': 'x', 'docs/b.md': 'x' });
    const source = localSource(folder, { roots: ['docs'] });
    rmSync(join(folder, 'docs/a.md'));
    const absent = join(realpathSync(folder), 'docs', 'a.md');
    await expect(source.read('docs/a.md')).rejects.toMatchObject({
      message: `Cannot read ${absent}: no longer there.`,
      cause: { code: 'ENOENT' },
    });
    await expect(source.read('docs/b.md/c')).rejects.toMatchObject({ cause: { code: 'ENOTDIR' } });
    rmSync(join(folder, 'docs/b.md'));
    const error = await source.read('docs/a.md').catch((thrown) => thrown);
    expect(error).toMatchObject({ code: 'file-unreadable' });
    expect(error.cause).toBeUndefined();
  });

  test('gives the bytes of a file', async () => {
    const folder = scratchTree({ 'a/b c.md': 'grüße', 'empty.md': '' });
    const source = localSource(folder);
    expect(await source.read('a/b c.md')).toEqual(Buffer.from('grüße'));
    expect(await source.read('a/./b c.md')).toEqual(Buffer.from('grüße'));
    expect(await source.read('empty.md')).toEqual(Buffer.alloc(0));
  });

  test.each([
    ...[
      '',
      '..',
      '../x',
      'a/../../x',
      '/etc/passwd',
      'C:\\x',
      'c:/x',
      '\\\\host\\share',
      '\\x',
      '..\\x',
      'a\\..\\..\\x',
    ],
    ...['a\0b', 'out/private.txt', 'out.txt', 'deep/out/private.txt', 'out/missing.txt', 'dangling'],
  ])('refuses %j as a way out of the root', async (uri) => {
    const outside = scratchTree({ 'private.txt': 'x' });
    const folder = scratchTree({ 'a/b': 'x', 'deep/x': 'x' });
    symlinkSync(outside, join(folder, 'out'));
    symlinkSync(outside, join(folder, 'deep', 'out'));
    symlinkSync(join(outside, 'private.txt'), join(folder, 'out.txt'));
    symlinkSync(join(outside, 'later.txt'), join(folder, 'dangling'));
    await expect(localSource(folder).read(uri)).rejects.toMatchObject({ code: 'path-outside-root' });
  });

  test('refuses folders, pipes and what is not there, without hanging', async () => {
    const folder = scratchTree({ 'a/b': 'x' });
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    for (const uri of ['a', 'a/', '.', 'pipe', 'missing', 'a/b/c', 'x'.repeat(5000)]) {
      await expect(localSource(folder).read(uri)).rejects.toMatchObject({ code: 'file-unreadable' });
    }
  });

  test('reads no byte beyond the limit, even of a file that grew after the walk', async () => {
    const folder = scratchTree({ 'grows.log': '12345' });
    const source = localSource(folder, { maxFileBytes: () => 8 });
    for await (const entry of source.scan()) expect(entry).toMatchObject({ kind: 'file', file: { size: 5 } });
    appendFileSync(join(folder, 'grows.log'), '678');
    expect(await source.read('grows.log')).toHaveLength(8);
    appendFileSync(join(folder, 'grows.log'), '9');
    await expect(source.read('grows.log')).rejects.toMatchObject({
      code: 'file-unreadable',
      remedy: expect.stringContaining('limit'),
    });
  });

  test('never returns bytes from outside while folders are swapped for links under it', async () => {
    const outside = scratchTree({ 'a.md': 'outside' });
    const folder = scratchTree({ 'd/a.md': 'inside' });
    const source = localSource(folder);
    const outcomes = new Set<string>();
    for (let round = 0; round < 60; round++) {
      const reading = Array.from({ length: 8 }, () =>
        source.read('d/a.md').then(
          (bytes) => Buffer.from(bytes).toString(),
          () => 'refused',
        ),
      );
      rmSync(join(folder, 'd'), { recursive: true, force: true });
      if (round % 2 === 0) symlinkSync(outside, join(folder, 'd'));
      else {
        mkdirSync(join(folder, 'd'));
        writeFileSync(join(folder, 'd', 'a.md'), 'inside');
      }
      for (const outcome of await Promise.all(reading)) outcomes.add(outcome);
    }
    expect(outcomes).not.toContain('outside');
    expect(outcomes).toContain('refused');
  });
});
