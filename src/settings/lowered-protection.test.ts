import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { openProject } from '../project/open-project.ts';
import { openSource } from '../sources/project-source.ts';
import { giveTrust, withdrawTrust } from '../user/trust.ts';
import { commandsOf } from './project-commands.ts';

const lowering = '[index]\nredact_secrets = false\n';

async function cloned(text = lowering, files: Record<string, string> = {}, own = '') {
  const home = await temporaryFolder({ '.config/quarry/quarry.toml': own });
  const folder = await temporaryFolder({ ...files, 'quarry.toml': text });
  const environment = (name: string) => (name === 'HOME' ? home : undefined);
  const open = async (settings = {}) => {
    const project = await openProject(folder, { environment, settings });
    await project.close();
    return project;
  };
  /** The files that are read, in order. */
  const read = async () => {
    const { settings } = await open();
    const found: string[] = [];
    for await (const entry of openSource(folder, settings, environment).scan({}))
      if (entry.kind === 'file') found.push(entry.file.uri);
    return found.filter((uri) => uri !== 'quarry.toml');
  };
  return { folder, open, read };
}

test('a file that came with a folder cannot turn off that secrets are blacked out', async () => {
  const { open } = await cloned();
  const { settings, untrusted } = await open();
  expect(settings.index.redact_secrets).toBe(true);
  expect(untrusted).toEqual(['index.redact_secrets = false']);
});

test('it counts after the user has agreed to it, until that is withdrawn', async () => {
  const { folder, open } = await cloned();
  const { configFolder, lowered } = await open();
  await giveTrust(configFolder, folder, [], lowered);
  expect(await open()).toMatchObject({ settings: { index: { redact_secrets: false } }, untrusted: [] });
  await withdrawTrust(configFolder, folder);
  expect((await open()).settings.index.redact_secrets).toBe(true);
});

test('an agreement to a command is none to a setting', async () => {
  const { folder, open } = await cloned();
  const { configFolder } = await open();
  await giveTrust(configFolder, folder, ['some command']);
  expect((await open()).settings.index.redact_secrets).toBe(true);
});

test('what the user says by a flag counts, and a file that raises protection needs no agreement', async () => {
  const { folder, open } = await cloned();
  expect((await open({ 'index.redact_secrets': false })).settings.index.redact_secrets).toBe(false);
  await writeFile(join(folder, 'quarry.toml'), '[index]\nredact_secrets = true\n');
  expect((await open()).untrusted).toEqual([]);
});

const keys = { '.env': 'A=b', 'deploy/prod.pem': 'x', '.ssh/config': 'x', '.ssh/work': 'x', 'a.md': 'x' };

test('files with secrets that it names are read after the user has agreed to each pattern', async () => {
  const { folder, open, read } = await cloned('[index]\nexclude = ["!.env", "!*.pem", "b.md"]\n', keys);
  const { untrusted, settings, configFolder } = await open();
  expect(untrusted).toEqual(['index.exclude with "!.env"', 'index.exclude with "!*.pem"']);
  expect(settings.index.exclude).toEqual(['b.md']);
  expect(await read()).toEqual(['a.md']);
  await giveTrust(configFolder, folder, [], ['index.exclude with "!.env"']);
  expect(await read()).toEqual(['.env', 'a.md']);
  expect((await open()).untrusted).toEqual(['index.exclude with "!*.pem"']);
});

test('what users leave out everywhere is left out, whatever a file says that came with a folder', async () => {
  const { folder, open, read } = await cloned(
    '[index]\nexclude = ["b.md"]\n',
    { ...keys, 'b.md': 'x', 'diary.md': 'x' },
    '[index]\nexclude = ["diary.md"]\n',
  );
  expect(await read()).toEqual(['a.md']);
  const { untrusted, configFolder } = await open();
  expect(untrusted).toEqual(['index.exclude without "diary.md"']);
  await giveTrust(configFolder, folder, [], untrusted);
  expect(await read()).toEqual(['a.md', 'diary.md']);
});

test.each([
  'index.include = [".env", "*.pem", ".ssh/**", "**", "a.md"]',
  'index.exclude = ["!**", "!.e*", "!*.p?m", "!deploy/**", "!.s*/", "!.ssh/*"]',
  'index.gitignore = false',
  'index.max_file_bytes = 1000000000',
  'types.note = [".env", "*.pem", ".ssh/**"]',
  'origins.notes = [".env", "*.pem", ".ssh/**"]',
  'chunkers.prose = [".env", "*.pem", ".ssh/**"]',
  'index.roots = [".", "deploy"]',
  'preset = "memory"',
])('no file with secrets is read for %s', async (setting) => {
  const { open, read } = await cloned(setting, keys);
  expect((await open()).untrusted).toEqual([]);
  expect(await read()).toEqual(['a.md']);
});

test('a folder of keys is no root of it, nor is one that a link leads to', async () => {
  for (const root of ['.ssh', 'deep/.GNUPG/sub', 'docs']) {
    const { folder, open } = await cloned(`index.roots = ["${root}"]\n`, keys);
    await mkdir(join(folder, 'deep/.GNUPG/sub'), { recursive: true });
    await symlink('.ssh', join(folder, 'docs'));
    await expect(open()).rejects.toMatchObject({
      code: 'config-invalid',
      message: expect.stringContaining('keys or credentials'),
    });
    expect((await open({ 'index.roots': ['.ssh'] })).settings.index.roots).toEqual(['.ssh']);
  }
});

test('a link that leads nowhere yet is no root of it, by whatever name, nor is one that turns up later', async () => {
  const { folder, open, read } = await cloned('', { 'a.md': 'inside', 'docs/b.md': 'inside' });
  const outside = await temporaryFolder({ 'secret.md': 'outside' });
  await symlink(join(outside, 'later'), join(folder, 'link'));
  for (const root of ['link', 'link/below', join(folder, 'link')]) {
    await writeFile(join(folder, 'quarry.toml'), `[index]\nroots = [".", ${JSON.stringify(root)}]\n`);
    await expect(open()).rejects.toMatchObject({ code: 'config-invalid' });
  }
  const root = JSON.stringify(join(folder, 'docs'));
  await writeFile(join(folder, 'quarry.toml'), `[index]\nroots = [".", ${root}]\n`);
  expect(await read()).toEqual(['a.md', 'docs/b.md']);
  const { settings } = await open();
  await rm(join(folder, 'docs'), { recursive: true });
  await symlink(outside, join(folder, 'docs'));
  const scan = openSource(folder, settings, () => undefined).scan({});
  await expect(scan[Symbol.asyncIterator]().next()).rejects.toMatchObject({ code: 'config-invalid' });
});

test('what it would have a tool of a server do is agreed to as a command is', async () => {
  const call = 'mcp.tool = "write"\nmcp.arguments = { path = "x", text = "{query}" }\n';
  const commands = async (...parts: Parameters<typeof cloned>) => {
    const { settings, origins } = await (await cloned(...parts)).open();
    return commandsOf(settings, origins);
  };
  const address = 'mcp.server = "http://127.0.0.1:9/mcp"\n';
  const told = ['the tool write', 'the arguments {"path":"x","text":"{query}"}'];
  expect(await commands(`[store]\ndriver = "mcp"\nmcp_server = "npx notes"\n${call}`)).toEqual([
    'npx notes',
    ...told,
  ]);
  expect(await commands(`[store]\ndriver = "mcp"\n${address}${call}`)).toEqual([
    'http://127.0.0.1:9/mcp',
    ...told,
  ]);
  expect(await commands(`[store]\n${call}`, {}, `[store]\ndriver = "mcp"\n${address}`)).toEqual([
    'http://127.0.0.1:9/mcp',
    ...told,
  ]);
  expect(await commands(`[store]\ndriver = "mcp"\n${address}`)).toEqual([]);
  expect(await commands('', {}, `[store]\ndriver = "mcp"\n${address}${call}`)).toEqual([]);
});
