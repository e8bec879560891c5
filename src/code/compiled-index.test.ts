import { cpSync, readFileSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { scipDocument } from '../../test/scip-bytes.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';
import type { Project } from '../calls/project.ts';
import { openProject } from '../project/open-project.ts';

// What `scip-typescript` 0.4.0 writes for the two files beside it.
const fixture = join(import.meta.dirname, '..', '..', 'test', 'fixtures', 'compiled');
const real = readFileSync(join(fixture, 'index.scip'));

const opened: Project[] = [];
afterEach(async () => {
  for (const project of opened.splice(0)) await project.close();
});

async function ferries(index?: Uint8Array): Promise<Project> {
  const folder = await temporaryFolder({});
  cpSync(join(fixture, 'src'), join(folder, 'src'), { recursive: true });
  if (index) writeFileSync(join(folder, 'index.scip'), index);
  const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
  opened.push(project);
  return project;
}

const indexOf = ({ folder }: Project) => join(folder, 'index.scip');
async function callsOfClose(project: Project, update = true) {
  const { mentions, warnings } = await project.graph.callers('FerryStore.close', { update });
  return {
    mentions: mentions.map(({ uri, line, certainty }) => `${certainty} ${uri}:${line}`),
    warnings: warnings.map(({ message }) => message),
  };
}
const told = { mentions: ['certain src/find.ts:11'], warnings: [] };
const untold = { mentions: ['possible src/find.ts:11', 'possible src/find.ts:16'], warnings: [] };

describe('an index of a compiler', () => {
  test('says what a call means that syntax alone leaves open', async () => {
    expect(await callsOfClose(await ferries())).toEqual(untold);
    expect(await callsOfClose(await ferries(real))).toEqual(told);
  });

  test('is taken over when it comes, changes and goes, also between two answers', async () => {
    const project = await ferries();
    expect(await callsOfClose(project)).toEqual(untold);
    writeFileSync(indexOf(project), real);
    expect(await callsOfClose(project)).toEqual(told);
    renameSync(indexOf(project), join(project.folder, 'other.scip'));
    expect(await callsOfClose(project, false)).toEqual(untold);
  });

  test('of a state of before counts only where both ends stand where it says', async () => {
    const project = await ferries(real);
    expect(await callsOfClose(project)).toEqual(told);
    const find = join(project.folder, 'src', 'find.ts');
    writeFileSync(find, `// A line more.\n${readFileSync(find, 'utf8')}`);
    expect(await callsOfClose(project)).toEqual({
      mentions: ['possible src/find.ts:12', 'possible src/find.ts:17'],
      warnings: [],
    });
    const store = join(project.folder, 'src', 'store.ts');
    writeFileSync(find, readFileSync(join(fixture, 'src', 'find.ts')));
    writeFileSync(store, `// A line more.\n${readFileSync(store, 'utf8')}`);
    expect((await callsOfClose(project)).mentions).toEqual(untold.mentions);
  });

  test('that is none, is cut off or is a link changes nothing, and what is useless is said', async () => {
    const unusable = 'index.scip is not used: nothing in it could be understood.';
    for (const bytes of [
      Buffer.alloc(0),
      Buffer.from('not an index at all'),
      Buffer.alloc(5000, 0xff),
      // A file of code that claims to be of four gigabytes.
      Buffer.from([0x12, 0xff, 0xff, 0xff, 0xff, 0x0f, 0x0a, 0x01]),
    ])
      expect(await callsOfClose(await ferries(bytes))).toEqual({ ...untold, warnings: [unusable] });
    const cut = await callsOfClose(await ferries(real.subarray(0, real.length - 40)));
    expect([told.mentions, untold.mentions]).toContainEqual(cut.mentions);
    const linked = await ferries();
    symlinkSync(join(fixture, 'index.scip'), indexOf(linked));
    expect(await callsOfClose(linked)).toEqual(untold);
  });

  test('cannot say of a name what is defined under another one', async () => {
    const project = await ferries(real);
    const store = join(project.folder, 'src', 'store.ts');
    // The first of both methods, which the index still has at this line.
    writeFileSync(store, readFileSync(store, 'utf8').replace('close', 'shut'));
    const { mentions } = await project.graph.callers('Window.close');
    expect(mentions.map(({ line, certainty }) => `${certainty} ${line}`)).toEqual([
      'certain 16',
      'possible 11',
    ]);
  });

  test('changes nothing that the files say for certain', async () => {
    const folder = await temporaryFolder({
      'real.ts': 'export function check(): void {}\n',
      'decoy.ts': 'export function check(): void {}\n',
      'login.ts': "import { check } from './real.ts';\nexport function login(): void {\n  check();\n}\n",
      'index.scip': Buffer.concat([
        scipDocument('decoy.ts', [{ line: 1, column: 17, symbol: 's decoy#', isDefinition: true }]),
        scipDocument('login.ts', [
          { line: 1, column: 10, symbol: 's decoy#' },
          { line: 3, column: 3, symbol: 's decoy#' },
        ]),
      ]),
    });
    const project = await openProject(folder, { settings: { 'embedder.driver': 'hashing' } });
    opened.push(project);
    const { callees, warnings } = await project.graph.callees('login');
    expect(callees.map(({ certainty, uri }) => `${certainty} ${uri}`)).toEqual(['certain real.ts']);
    expect(warnings).toEqual([]);
  });

  test('is used without a file of which it says too much, and that is said', async () => {
    const large = Buffer.concat([Buffer.from([0x12, 0x81, 0x80, 0x80, 0x02]), Buffer.alloc(2 ** 22 + 1)]);
    expect(await callsOfClose(await ferries(Buffer.concat([real, large])))).toEqual({
      ...told,
      warnings: ['index.scip is used without one file, of which it says too much.'],
    });
  });
});
