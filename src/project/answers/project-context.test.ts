import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import type { QuarryError } from '../../core/errors.ts';
import { openProject } from '../open-project.ts';

const settings = { 'embedder.driver': 'hashing', 'resources.threads': 1, 'cache.max_bytes': 0 };
const open: Project[] = [];
afterAll(async () => {
  for (const project of open) await project.close();
});

async function projectWith(
  files: Record<string, string>,
  more: Record<string, unknown> = {},
): Promise<Project> {
  const project = await openProject(await temporaryFolder(files), { settings: { ...settings, ...more } });
  open.push(project);
  return project;
}

let project: Project;
beforeAll(async () => {
  project = await projectWith({
    'docs/tea.md': '# Tea\n\nGreen tea is steeped for two minutes at eighty degrees.\n',
    'docs/coffee.md': '# Coffee\n\nCoffee is ground just before it is brewed.\n',
    'rules.txt': 'Always warm the pot first.\n',
    '.env': 'API_KEY=sk-aaaabbbbccccddddeeeeffff\n',
    'ignored.md': 'Not for prompts.\n',
    '.gitignore': 'ignored.md\n',
  });
});

describe('a context block', () => {
  test('holds what answers the query, and says where it is from', async () => {
    const { text, sources, tokens } = await project.context('how long is green tea steeped?');
    expect(text).toMatch(/^Between the two lines marked [0-9a-f]{16} is text/);
    expect(text).toContain('File: docs/tea.md (chunk 0)\n# Tea\n\nGreen tea is steeped');
    expect(sources[0]).toMatchObject({ number: 1, uri: 'docs/tea.md', chunks: [0, 0] });
    expect(tokens).toBeGreaterThan(20);
  });

  test('shows files that the user names first and whole, whatever they hold', async () => {
    const { sources } = await project.context('green tea', { manual: ['./rules.txt', 'docs/tea.md'] });
    expect(sources.map(({ uri, relevance }) => [uri, relevance === undefined])).toEqual([
      ['rules.txt', true],
      ['docs/tea.md', true],
    ]);
  });

  test.each([
    ['.env', 'document-unsupported'],
    ['ignored.md', 'document-unsupported'],
    ['missing.md', 'document-unsupported'],
    ['../outside.md', 'path-outside-root'],
    ['/etc/passwd', 'path-outside-root'],
  ])('refuses to show %s', async (path, code) => {
    await expect(project.context('tea', { manual: [path] })).rejects.toMatchObject({ code });
  });

  test('is empty where nothing passes the threshold', async () => {
    const { text, sources } = await project.context('green tea', { threshold: 1 });
    expect({ text, sources }).toEqual({ text: '', sources: [] });
  });

  test('reads a file that changed since the last run', async () => {
    await writeFile(join(project.folder, 'rules.txt'), 'Never use boiling water.\n');
    const { text } = await project.context('tea', { manual: ['rules.txt'], format: 'sources' });
    expect(text).toContain('Content: Never use boiling water.');
  });
});

describe('inject', () => {
  test('puts what was retrieved before the prompt', async () => {
    const prompt = 'Answer briefly: how long is green tea steeped?';
    const injected = await project.inject(prompt, 'green tea steeped');
    expect(injected.endsWith(`===\n\n${prompt}`)).toBe(true);
    expect(injected).toContain('[RETRIEVED CONTEXT]\nFile: docs/tea.md (chunk 0)');
  });

  test('leaves the prompt as it is where nothing passes the threshold', async () => {
    expect(await project.inject('prompt', 'green tea', { threshold: 1 })).toBe('prompt');
  });

  test('leaves the prompt as it is in an empty project', async () => {
    const empty = await projectWith({});
    expect(await empty.inject('prompt', 'green tea')).toBe('prompt');
  });

  test('leaves the prompt as it is in a disabled project', async () => {
    const disabled = await projectWith({ 'tea.md': 'Green tea.' }, { enabled: false });
    expect(await disabled.inject('prompt', 'green tea')).toBe('prompt');
    expect(await disabled.context('green tea')).toMatchObject({ text: '', sources: [] });
  });

  test('leaves the prompt as it is where the index is broken, and says so', async () => {
    const broken = await projectWith({ 'tea.md': 'Green tea.' }, { 'index.on_search': false });
    for await (const _ of broken.index());
    await broken.close();
    const state = join(broken.folder, '.quarry');
    const files = (await readdir(state, { recursive: true })).filter((name) => name.endsWith('.sqlite'));
    expect(files.length).toBeGreaterThan(0);
    for (const name of files) await writeFile(join(state, name), 'no database'.repeat(1000));
    const again = await openProject(broken.folder, { settings: { ...settings, 'index.on_search': false } });
    open.push(again);
    const warnings: QuarryError[] = [];
    const prompt = await again.inject('prompt', 'green tea', {
      onWarning: (warning) => warnings.push(warning),
    });
    expect(prompt).toBe('prompt');
    expect(warnings[0]?.code).toMatch(/^store-/);
  });
});
