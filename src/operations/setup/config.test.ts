import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { configOperation, configSetOperation } from './config.ts';

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function projectWith(text: string | undefined) {
  const folder = await temporaryFolder(text === undefined ? {} : { 'quarry.toml': text });
  const project = await openProject(folder);
  opened.push(project);
  const file = join(folder, 'quarry.toml');
  return {
    file,
    text: () => readFile(file, 'utf8'),
    set: (input: Parameters<typeof configSetOperation.input.parse>[0]) =>
      resultOf(configSetOperation.run(project, configSetOperation.input.parse(input), {})),
    show: () => resultOf(configOperation.run(project, configOperation.input.parse({ schema: true }), {})),
  };
}

const commented = `# How this project is indexed.
enabled = true   # of course

[search] # what people see
# a screen full
top_k = 5 # enough
off = [
  "paths", # not here
]

[index]
roots = ["."]
# the end
`;

test('a value is changed in its place: comments, order and everything else stay', async () => {
  const { set, text } = await projectWith(commented);
  const change = await set({ changes: ['search.top_k=8'] });
  expect(change).toMatchObject({ written: true, before: commented, needs: [] });
  expect(await text()).toBe(commented.replace('top_k = 5', 'top_k = 8'));
});

test('a key without a value, or with one beside it, is told how both are written', async () => {
  const { set } = await projectWith(commented);
  await expect(set({ changes: ['search.top_k', '8'] })).rejects.toMatchObject({
    message: '"search.top_k" has no value.',
    remedy: 'Write both in one word: search.top_k=VALUE',
  });
  await expect(set({ changes: ['search.nope', '8'] })).rejects.toThrow('"search.nope" names no setting.');
});

test('settings are added to their table or to a new one, and taken out again', async () => {
  const { set, text } = await projectWith(commented);
  await set({
    changes: ['search.per_document=70', 'index.exclude=["a,b/", "*.bak"]', 'watch.interval_seconds=60'],
  });
  const written = await text();
  for (const line of commented.split('\n')) expect(written).toContain(line);
  expect(written).toMatch(/\[search\][^[]*off = \[[^\]]*\][^[]*per_document = 70/);
  expect(written).toMatch(/exclude = \[\s*"a,b\/",\s*"\*\.bak",?\s*\]/);
  await set({ unset: ['search.per_document', 'index.exclude', 'watch.interval_seconds'] });
  expect(await text()).not.toMatch(/per_document|exclude|interval/);
  expect(await text()).toContain('# the end');
});

/** A file as `quarry init` or a person leaves it: what could be set, as comments. */
const template = `# What could be set here.

# [search]
# top_k = 5        # hits to return
# candidates = 60

[index] # what is read
# roots = ["."]
# exclude = [
#   "drafts/",
# ]

# [watch]
# interval_seconds = 300
`;

test('a setting is written above headers that are commented, and stays what it is when one is brought back', async () => {
  const { set, text } = await projectWith(template);
  await set({ changes: ['enabled=true', 'index.gitignore=true'] });
  expect(await text()).toBe(
    template
      .replace('# [search]', 'enabled = true\n\n# [search]')
      .replace('read\n', 'read\ngitignore = true\n'),
  );
  await set({ unset: ['enabled', 'index.gitignore'] });
  expect(await text()).toBe(template.replace('# [search]', '\n# [search]'));
});

test('a setting is taken out with its line alone, also where a comment names it before', async () => {
  const noted = `${template}\n# top_k = 3 was too few.\n\n[search]\n# top_k = 4: so were these.\ntop_k = 8\n# The end.\n`;
  const { set, text } = await projectWith(noted);
  await set({ unset: ['search.top_k'] });
  expect(await text()).toBe(noted.replace('top_k = 8\n', ''));
});

test('a file is made where there is none', async () => {
  const { set, text } = await projectWith(undefined);
  await set({ changes: ['search.top_k=3'] });
  expect((await text()).trim()).toBe('[search]\ntop_k = 3');
});

test('a setting under the name of an earlier tool is changed under that name', async () => {
  const { set, text } = await projectWith('[rag]\ntop_k = 5 # theirs\n');
  await set({ changes: ['search.top_k=7'] });
  expect((await text()).trim()).toBe('[rag]\ntop_k = 7 # theirs');
});

test('a setting that stands under both names is changed and taken out under both', async () => {
  const both = '[search]\ntop_k = 5\n\n[rag]\ntop_k = 6\n';
  const { set, text } = await projectWith(both);
  await set({ changes: ['search.top_k=7'] });
  expect(await text()).toBe('[search]\ntop_k = 7\n\n[rag]\ntop_k = 7\n');
  await set({ unset: ['search.top_k'] });
  expect(await text()).toBe('');
});

test('a preview writes nothing, and says what the next run would do', async () => {
  const { set, text } = await projectWith(commented);
  const change = await set({
    changes: ['chunking.sizes=large', 'embedder.driver=hashing'],
    preview: true,
  });
  expect(change).toMatchObject({ written: false, needs: ['cut', 'embed'] });
  expect(change.after).toContain('sizes = "large"');
  expect(await text()).toBe(commented);
});

test.each([
  ['a value out of range', ['search.top_k=0'], 'config-invalid', /top_k/],
  ['values that contradict each other', ['chunking.by_characters.overlap=4000'], 'config-invalid', /overlap/],
  ['an unknown key', ['search.topk=3'], 'usage-invalid', /topk/],
  ['a root outside of the project', ['index.roots=/etc'], 'config-invalid', /etc/],
  ['a model folder, which a project file may not name', ['embedder.model=./m'], 'config-invalid', /model/],
])('refuses %s, and writes nothing', async (_, changes, code, message) => {
  const { set, text } = await projectWith(commented);
  await expect(set({ changes })).rejects.toMatchObject({ code, message: expect.stringMatching(message) });
  expect(await text()).toBe(commented);
});

test('a file that was changed meanwhile is not overwritten', async () => {
  const { set, show, file, text } = await projectWith(commented);
  const { revision } = await show();
  await writeFile(file, `${commented}# mine\n`);
  await expect(set({ changes: ['search.top_k=8'], revision })).rejects.toMatchObject({
    code: 'settings-conflict',
  });
  expect(await text()).toBe(`${commented}# mine\n`);
  const { revision: newer } = await show();
  await set({ changes: ['search.top_k=8'], revision: newer });
  expect(await text()).toContain('# mine');
});

test('each setting is shown with the schema that a form is made from', async () => {
  const { settings } = await (await projectWith(commented)).show();
  expect(settings.find(({ key }) => key === 'search.top_k')).toMatchObject({
    value: 5,
    layer: 'project',
    schema: { type: 'integer', minimum: 1, maximum: 1000 },
  });
  expect(settings.every(({ schema }) => schema !== undefined)).toBe(true);
});

test('a name of the version before is written as it is called today, or not at all where it no longer counts', async () => {
  const { set, text } = await projectWith('[index]\nthreads = 2 # few\n');
  const change = await set({ changes: ['embedder.threads=3', 'search.fusion=rank'] });
  expect(await text()).toMatch(/^\[resources\]\nthreads = 3\n$/);
  expect(change.retired).toEqual([
    'The change sets embedder.threads, which is resources.threads now.',
    expect.stringContaining('search.fusion, which no longer counts'),
  ]);
});
