import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { noServer as noPostgres, sharedPostgres } from '../../drivers/stores/postgres/server.fixture.ts';
import { openProject } from '../../project/open-project.ts';
import { startTestServer } from '../../surfaces/http/server.fixture.ts';

/** A store that several projects may use, and what is in the way of using it here. */
interface SharedStore {
  readonly driver: string;
  readonly missing?: string | undefined;
  start(): Promise<Readonly<Record<string, string>>>;
}

let password: string | undefined;
const environment = (name: string) => (name === 'QUARRY_STORE_API_KEY' ? password : process.env[name]);
const ends: (() => Promise<unknown>)[] = [];
afterAll(async () => {
  for (const end of ends) await end();
});

const sharedStores: readonly SharedStore[] = [
  { driver: 'lancedb', start: async () => ({ 'store.url': join(await temporaryFolder(), 'tables') }) },
  {
    driver: 'remote',
    async start() {
      const { url, server } = await startTestServer();
      ends.push(() => server.end());
      return { 'store.url': url };
    },
  },
  {
    driver: 'postgres',
    missing: noPostgres,
    async start() {
      const server = await sharedPostgres();
      password = server.password;
      return { 'store.url': server.url };
    },
  },
];

const everywhere = {
  'quarry.toml': '# as in every project of the team\n',
  'about.md': 'As in every project of the team.\n',
};
const handbook = {
  ...everywhere,
  'heron.md': '# Heron\n\nIt waits in the reeds.\n',
  'otter.md': '# Otter\n\nIt swims at night.\n',
  'reed.md': '# Reed\n\nIt bends in the wind.\n',
};
const recipes = {
  ...everywhere,
  'soup.md': '# Soup\n\nLeeks and potatoes.\n',
  'heron.md': 'A pub in the next village, of which somebody has told.\n',
};

test('a name of the copy that cannot be read is reported, and no other one takes its place', async () => {
  const folder = await temporaryFolder({ ...handbook, '.quarry/copy/a.md': 'a folder in its place' });
  const settings = { 'store.driver': 'lancedb', 'embedder.driver': 'hashing' };
  const project = await openProject(folder, { settings, environment });
  const run = async () => {
    for await (const _ of project.index());
  };
  await expect(run()).rejects.toMatchObject({
    code: 'path-unsafe',
    remedy: expect.stringContaining(join('.quarry', 'copy')),
  });
  await project.close();
});

for (const { driver, missing, start } of sharedStores)
  describe.skipIf(missing)(`an index in ${driver}${missing ? ` (${missing})` : ''}`, () => {
    let place: Readonly<Record<string, string>>;
    const open = async (folder: string) => {
      place ??= await start();
      const settings = { 'store.driver': driver, 'store.collection': 'shared', ...place };
      // The server may run as another user.
      const host = URL.parse(place['store.url'] ?? '')?.host;
      const consent = host ? [`https://${host}`] : [];
      const given = { ...settings, 'embedder.driver': 'hashing' };
      return openProject(folder, { settings: given, environment, consent });
    };
    const index = async (folder: string, options: { readonly full?: boolean } = {}) => {
      const project = await open(folder);
      try {
        for await (const _ of project.index(options));
        return await (await project.store()).paths();
      } finally {
        await project.close();
      }
    };

    test('is shared by copies of a project, and another project with the same name is refused', async () => {
      const first = await temporaryFolder(handbook);
      expect(await index(first)).toEqual(Object.keys(handbook).sort());
      // Half of it has changed.
      const changed = { 'otter.md': '# Otter\n\nIt has left.\n', 'reed.md': '# Reed\n\nIt was cut.\n' };
      const copy = await temporaryFolder({ ...handbook, ...changed });
      expect(await index(copy)).toEqual(Object.keys(handbook).sort());

      const other = await temporaryFolder(recipes);
      await expect(index(other)).rejects.toMatchObject({
        code: 'store-occupied',
        message: `The index in the store "${driver}" is of another project: 1 of its 4 documents are among the files here.`,
        remedy: expect.stringContaining('Set store.collection'),
      });
      // A search answers from what is there, and says so.
      const project = await open(other);
      const { hits, warnings } = await project.search('otter');
      expect(hits[0]?.document.uri).toBe('otter.md');
      expect(warnings.map(({ code }) => code)).toContain('store-occupied');
      await project.close();

      // Those who have made it are not compared again, whatever they change.
      await cp(await temporaryFolder(recipes), first, { recursive: true });
      expect(await index(first)).toEqual(Object.keys({ ...handbook, ...recipes }).sort());
      expect(await index(other, { full: true })).toEqual(Object.keys(recipes).sort());
    });
  });
