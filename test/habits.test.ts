import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

const quick = { QUARRY_EMBEDDER_DRIVER: 'hashing', QUARRY_RESOURCES_THREADS: '1' };
const run = (folder: string, words: string[], env: Record<string, string> = {}) =>
  callQuarry(folder, words, { ...quick, ...env });

describe('quarry index PATH', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await temporaryFolder({ 'a.md': 'apples', 'docs/b.md': 'berries', 'docs/c.md': 'cherries' });
    await run(folder, ['index']);
    for (const path of ['a.md', 'docs/b.md', 'docs/c.md'])
      await writeFile(join(folder, path), `${path} is another text`);
  });

  test('reads only what is named, as seen from the current folder', async () => {
    const { stdout } = await run(join(folder, 'docs'), ['index', 'b.md', '--json']);
    const result = JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
    expect(result.summary.documents).toMatchObject({ indexed: 1, deleted: 0 });
    const found = await run(folder, [
      'search',
      'is another text',
      '--route',
      'exact',
      '--no-update',
      '--json',
    ]);
    expect(JSON.parse(found.stdout).hits.map(({ path }: { path: string }) => path)).toEqual(['docs/b.md']);
  });

  test('refuses a path outside of the project', async () => {
    const { code, stderr } = await run(folder, ['index', '../elsewhere']);
    expect(code).not.toBe(0);
    expect(stderr).toContain('path-outside-root');
  });
});

describe('quarry init', () => {
  test('writes settings that hold, says what is next, and never overwrites', async () => {
    const folder = await temporaryFolder({ 'package.json': '{}' });
    const { code, stdout, stderr } = await run(folder, ['init']);
    expect({ code, stdout, stderr }).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('quarry index'),
    });
    const shown = JSON.parse((await run(folder, ['config', 'show', '--json'])).stdout);
    const preset = shown.settings.find(({ key }: { key: string }) => key === 'preset');
    expect(preset).toMatchObject({ value: 'code', layer: 'project' });
    const uncommented = (await readFile(join(folder, 'quarry.toml'), 'utf8')).replace(
      /^# (?=[[a-z_]+( =|\]))/gm,
      '',
    );
    const again = await run(folder, ['init']);
    expect(again).toMatchObject({ code: 2, stderr: expect.stringContaining('already') });
    await writeFile(join(folder, 'quarry.toml'), uncommented);
    expect((await run(folder, ['config', 'show'])).stderr).toBe('');
  });
});

describe.skipIf(process.platform === 'win32')('quarry open', () => {
  const hostile = '$(touch pwned) "a\' -x;.md';
  let folder: string;
  let editor: string;
  beforeAll(async () => {
    folder = await temporaryFolder({
      [hostile]: '# One\n\nnothing\n\n# Two\n\nzebras graze here\n',
      '-n.md': 'a lion',
    });
    editor = join(
      await temporaryFolder({ vim: '#!/bin/sh\nprintf "%s\\n" "$@" > "$(dirname "$0")/given"\n' }),
      'vim',
    );
    await chmod(editor, 0o755);
  });
  const given = async () => (await readFile(join(editor, '..', 'given'), 'utf8')).trimEnd().split('\n');

  test('opens the hit of the last search at its line, whatever its file is called', async () => {
    await run(folder, ['search', 'zebras']);
    expect(await run(folder, ['open', '1'], { EDITOR: editor })).toMatchObject({ code: 0, stderr: '' });
    const [line, file] = await given();
    expect(line).toMatch(/^\+\d+$/);
    expect(file).toBe(join(folder, hostile));
    await run(folder, ['search', 'lion']);
    await run(folder, ['open', '1'], { EDITOR: 'wrong', VISUAL: editor });
    expect((await given()).at(-1)).toBe(join(folder, '-n.md'));
  });

  test.each([
    [['open', '99'], {}, 'no hit 99'],
    [['open'], {}, 'Name the number'],
    [['open', '1'], { EDITOR: '' }, 'VISUAL and EDITOR are not set'],
    [['open', '1'], { EDITOR: '/no/such/editor' }, 'cannot be started'],
  ])('%j with %j says what is wrong', async (words, env, message) => {
    const { code, stderr } = await run(folder, words, { EDITOR: editor, ...env });
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });

  test('tells a search that found nothing from none', async () => {
    const bare = await temporaryFolder({ 'a.md': '# Herons\n' });
    const open = () => run(bare, ['open', '1'], { EDITOR: editor });
    expect((await open()).stderr).toContain('There is no last search.');
    await run(bare, ['search', 'herons', '--type', 'adr']);
    expect((await open()).stderr).toContain('The last search found nothing.');
  });

  test('refuses a remembered path that leads out of the project', async () => {
    await writeFile(join(folder, '.quarry', 'last-search.json'), '[{"path":"../../etc/passwd","line":1}]');
    const { code, stderr } = await run(folder, ['open', '1'], { EDITOR: editor });
    expect(code).not.toBe(0);
    expect(stderr).toContain('path-outside-root');
  });
});
