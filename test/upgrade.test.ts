import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { beforeAll, expect, test } from 'vitest';
import { callQuarry } from './quarry-call.ts';
import { temporaryFolder } from './temporary-folder.ts';

/** A project with an index, a report and added content, and the cache and tokens of its user, all made by 0.1.0. */
const fixture = fileURLToPath(new URL('./fixtures/index-0.1.0.tar.gz', import.meta.url));

let project: string;
let quarry: (...words: string[]) => ReturnType<typeof callQuarry>;
const json = async (...words: string[]) => JSON.parse((await quarry(...words, '--json')).stdout);
beforeAll(async () => {
  const folder = await temporaryFolder({});
  await promisify(execFile)('tar', ['-C', folder, '-xzf', fixture]);
  project = join(folder, 'project');
  const user = join(folder, 'user');
  const env = {
    QUARRY_CACHE_MAX_BYTES: '100000000',
    // A busy machine takes longer to load its model, and would say so.
    QUARRY_RERANKER_BUDGET_MS: '10000',
    QUARRY_CACHE_FOLDER: join(user, '.cache', 'quarry'),
    QUARRY_DATA_FOLDER: join(user, 'data'),
    XDG_CONFIG_HOME: join(user, '.config'),
  };
  quarry = (...words) => callQuarry(project, words, env);
});

test('the first search in an index of 0.1.0 builds it again, finds by meaning without embedding, and says what was done', async () => {
  const { hits, indexed, warnings } = await json('search', 'how hot should the water be?');
  expect(hits[0]).toMatchObject({ path: 'notes/tea.md' });
  expect(indexed.chunks).toMatchObject({ total: 3, cached: 3, embedded: 0, pending: 0 });
  expect(warnings).toMatchObject([
    {
      code: 'store-foreign',
      message: expect.stringMatching(
        /is of an earlier version of Quarry.*set aside as \.quarry.foreign-1.*built again from the files/,
      ),
    },
    { code: 'trust-missing', remedy: 'Look at it, then run: quarry trust' },
  ]);
});

test('the status names what was set aside, and quarry clean removes it', async () => {
  const { stdout } = await quarry('status');
  expect(stdout).toContain('set aside  foreign-1: of an earlier version or not made by you');
  await quarry('clean');
  expect((await readdir(join(project, '.quarry'))).filter((name) => name.startsWith('foreign-'))).toEqual([]);
});

test('content that was added with 0.1.0 is found again after quarry trust', async () => {
  const query = ['search', 'when is the kettle cleaned?'];
  const paths = async () => (await json(...query)).hits.map(({ path }: { path: string }) => path);
  expect(await paths()).not.toContain('virtual:kitchen/kettle.md');
  expect((await quarry('trust')).code).toBe(0);
  expect(await paths()).toContain('virtual:kitchen/kettle.md');
  expect((await json(...query)).warnings).toEqual([]);
});

test('reports and tokens of 0.1.0 stay', async () => {
  expect((await json('report', 'list')).reports).toMatchObject([{ id: '2026-11-18T06-35-46.416Z' }]);
  expect((await json('token', 'list')).tokens).toMatchObject([{ id: '3a06d60d468e', name: 'laptop' }]);
});
