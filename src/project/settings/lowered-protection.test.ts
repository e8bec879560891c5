import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../../testing/temporary-folder.ts';
import { openProject } from '../open-project.ts';
import { giveTrust, withdrawTrust } from '../trust.ts';

const lowering = '[index]\nredact_secrets = false\n';

async function cloned(text = lowering) {
  const home = await temporaryFolder({});
  const folder = await temporaryFolder({ 'quarry.toml': text });
  const environment = (name: string) => (name === 'HOME' ? home : undefined);
  const open = async (settings = {}) => {
    const project = await openProject(folder, { environment, settings });
    await project.close();
    return project;
  };
  return { folder, open };
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
