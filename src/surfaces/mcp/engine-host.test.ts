import { afterAll, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { createEngine } from '../../engine/engine.ts';
import { grantOf } from '../../engine/grants.ts';
import { createEngineHost } from './engine-host.ts';

const home = await temporaryFolder();
const engine = createEngine({ environment: (name) => (name === 'HOME' ? home : undefined), watch: false });
afterAll(() => engine.close());

const hostOf = (project: string, access: 'read' | 'write') =>
  createEngineHost({
    engine,
    operations: [],
    grant: grantOf({ id: '1', name: 'ci', hash: '', project, access, created_at: '' }),
    log: () => undefined,
  });

test('a job is looked at by those who may read its project, and cancelled by those who may change it', async () => {
  const { id } = engine.jobs.start(
    { reach: 'project', project: 'docs', folder: home, operation: 'watch' },
    async function* (signal) {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    },
  );
  const unknown = { code: 'route-unknown' };
  await expect(hostOf('other', 'write').job(id)).rejects.toMatchObject(unknown);
  await expect(hostOf('other', 'write').cancelJob(id)).rejects.toMatchObject(unknown);
  await expect(hostOf('docs', 'read').cancelJob(id)).rejects.toMatchObject(unknown);
  expect(await hostOf('docs', 'read').job(id)).toMatchObject({ state: 'running' });
  await hostOf('docs', 'write').cancelJob(id);
  await expect.poll(() => hostOf('docs', 'read').job(id)).not.toMatchObject({ state: 'running' });
});
