import { cp, readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { makeSurroundings, placements } from './hostile-folder-cases.ts';
import { type AskedFolder, askAll, maxKilobytes } from './hostile-folder-processes.ts';
import { startQuarry } from './quarry-process.ts';
import { sample, turn } from './samples.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe.skipIf(process.platform === 'win32')(
  'an index of LanceDB below the project, a part of which is',
  () => {
    const table = '.quarry/lancedb/quarry--index-1.lance';
    let made: string;
    let home: string;
    /** One of each kind of file and folder that LanceDB makes. */
    let parts: string[];

    beforeAll(async () => {
      const toml = '[store]\ndriver = "lancedb"\n[embedder]\ndriver = "hashing"\n';
      home = await temporaryFolder();
      made = await temporaryFolder({ 'lake.md': 'The heron waits.', 'quarry.toml': toml });
      const { code, stderr } = await startQuarry(made, ['index'], { HOME: home }).finished;
      expect([code, stderr]).toEqual([0, expect.anything()]);
      const found = await readdir(join(made, table), { recursive: true });
      const kinds = new Map(
        found
          .sort()
          .reverse()
          .map((path) => [path.replace(/[0-9a-f-]{8,}|\d+/g, ''), path]),
      );
      parts = ['', ...kinds.values()].map((path) => join(table, path));
      expect(parts.length).toBeGreaterThan(10);
    });

    const refused = [
      'a link to a file outside',
      'a link to a folder outside',
      'a link to an endless device',
      'a named pipe',
    ];
    test.concurrent.each([...refused, 'random bytes', 'cut off'])(
      '%s: every question ends with an answer or a remedy, and nothing outside changes',
      async (kind) => {
        const surroundings = await makeSurroundings(made);
        const before = await surroundings.checksums();
        const parent = await temporaryFolder();
        const folders: AskedFolder[] = [];
        const tried = sample(3, [...parts.entries()], Object.keys(placements).indexOf(kind));
        for (const [at, name] of tried) {
          const folder = join(parent, String(at));
          await cp(made, folder, { recursive: true });
          const place = { name, path: join(folder, name), outside: surroundings.folder };
          if ((await placements[kind]?.(place)) === false) continue;
          // What is refused is refused before anything is read: every question costs little.
          folders.push(refused.includes(kind) ? { folder } : { folder, turn: turn + at });
        }
        expect(folders.length).toBeGreaterThan(tried.length / 3);
        const found = await askAll(folders, home);
        expect(found).toHaveLength(folders.length);
        for (const { folder, outcomes, kilobytes } of found) {
          const told = [parts[Number(basename(folder))], ...Object.values(outcomes ?? {})];
          expect(told.filter((outcome) => outcome?.startsWith('internal'))).toEqual([]);
          expect(kilobytes).toBeLessThan(maxKilobytes);
          if (refused.includes(kind)) expect([told[0], outcomes?.search]).toEqual([told[0], 'path-unsafe']);
        }
        expect(await surroundings.checksums()).toEqual(before);
      },
    );
  },
);
