import { expect, test } from 'vitest';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import { giveTrust, withdrawTrust } from '../user/trust.ts';
import { createOpenProjects } from './open-projects.ts';

test('a project that is held open follows what the user agrees to, without being asked to', async () => {
  const home = await temporaryFolder({});
  const folder = await temporaryFolder({ 'quarry.toml': '[index]\nredact_secrets = false\n' });
  const projects = createOpenProjects({
    environment: (name) => (name === 'HOME' ? home : undefined),
    idleMilliseconds: 60_000,
    maximum: 1,
    watch: false,
  });
  const leased = async () => {
    const { project, release } = await projects.lease({
      id: 'p',
      folder,
      files: 'local',
      isRegistered: false,
    });
    release();
    return project;
  };
  try {
    const { configFolder, lowered, untrusted } = await leased();
    expect(untrusted).toEqual(['index.redact_secrets = false']);
    await giveTrust(configFolder, folder, [], lowered);
    expect(await leased()).toMatchObject({ untrusted: [], settings: { index: { redact_secrets: false } } });
    await withdrawTrust(configFolder, folder);
    expect(await leased()).toMatchObject({ untrusted, settings: { index: { redact_secrets: true } } });
  } finally {
    await projects.close();
  }
});
