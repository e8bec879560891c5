import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openProjectsFile } from './projects-file.ts';

async function file(text?: string) {
  const path = join(await mkdtemp(join(tmpdir(), 'projects-')), 'projects.yaml');
  if (text !== undefined) await writeFile(path, text);
  return { path, projects: openProjectsFile(path), text: () => readFile(path, 'utf8') };
}

const entry = (id: string, folder: string) => ({ id, folder, files: 'local', isRegistered: false }) as const;

describe('the registry of projects', () => {
  test('is empty where there is no file', async () => {
    expect(await (await file()).projects.read()).toEqual([]);
  });

  test('keeps comments and order when a project is added or removed', async () => {
    const { projects, text } = await file(
      '# mine\nprojects:\n  docs: # the handbook\n    folder: /srv/docs\n  old:\n    folder: /srv/old\n',
    );
    await projects.add(entry('api', '/srv/api'));
    expect(await projects.remove('old')).toBe(true);
    expect(await projects.remove('old')).toBe(false);
    const written = await text();
    for (const comment of ['# mine', '# the handbook']) expect(written).toContain(comment);
    expect((await projects.read()).map(({ id }) => id)).toEqual(['docs', 'api']);
  });

  test.each(['# only a comment\n', 'projects:\n', ''])(
    'adds to a file with no project yet: %j',
    async (before) => {
      const { projects, text } = await file(before);
      await projects.add(entry('api', '/srv/api'));
      expect((await projects.read()).map(({ id, folder }) => [id, folder])).toEqual([['api', '/srv/api']]);
      if (before.startsWith('#')) expect(await text()).toContain('# only a comment');
    },
  );

  test('refuses a name that another folder has, and adds the same folder once', async () => {
    const { projects } = await file();
    await projects.add(entry('api', '/srv/api'));
    await projects.add(entry('api', '/srv/api'));
    await expect(projects.add(entry('api', '/srv/other'))).rejects.toMatchObject({ code: 'usage-invalid' });
    expect(await projects.read()).toHaveLength(1);
  });

  test.each([
    ['projects:\n  a:\n    folder: relative/path\n', 'absolute'],
    ['projects:\n  "../up":\n    folder: /srv\n', 'letters'],
    ['projects:\n  a:\n    folder: /srv\n    colour: red\n', 'colour'],
    ['projects: [', 'projects.yaml'],
  ])('says what is wrong with %j', async (text, message) => {
    const { projects } = await file(text);
    await expect(projects.read()).rejects.toThrow(message);
    await expect(projects.add(entry('api', '/srv/api'))).rejects.toThrow(message);
  });
});
