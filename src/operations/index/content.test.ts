import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import type { Project } from '../../calls/project.ts';
import { resultOf } from '../../platform/streams.ts';
import { openProject } from '../../project/open-project.ts';
import { addOperation, removeOperation } from './content.ts';

let folder: string;
let project: Project;
beforeEach(async () => {
  folder = await temporaryFolder();
  project = await openProject(folder, { settings: { 'embedder.driver': 'hashing', 'resources.threads': 1 } });
  const opened = project;
  onTestFinished(() => opened.close());
});

const add = (input: object, piped?: Iterable<Uint8Array>) =>
  resultOf(
    addOperation.run(
      project,
      addOperation.input.parse(input),
      piped ? { stdin: () => Readable.from(piped) } : {},
    ),
  );
const remove = (...uris: string[]) => resultOf(removeOperation.run(project, { uris }, {}));

describe('add', () => {
  test('takes a file under its own name, or under another with what is said of it', async () => {
    const file = join(await temporaryFolder({ 'minutes.txt': 'We spoke of granite.' }), 'minutes.txt');
    expect(await add({ file })).toEqual({
      uri: 'virtual:minutes.txt',
      bytes: 20,
      replaced: false,
      warnings: [],
    });
    const said = {
      uri: 'virtual:call.md',
      title: 'A call',
      type: 'note',
      metadata: ['speaker=Ada', 'a=b=c'],
    };
    expect(await add({ file, ...said })).toMatchObject({ uri: 'virtual:call.md' });
    const [document] = await (await project.store()).documents({ types: ['note'] });
    expect(document).toMatchObject({ title: 'A call', metadata: { speaker: 'Ada', a: 'b=c' } });
  });

  test('takes what is piped into it, cut anywhere within a character', async () => {
    const bytes = Buffer.from('Grüße aus dem Steinbruch.');
    expect(await add({ uri: 'greeting' }, [bytes.subarray(0, 3), bytes.subarray(3)])).toMatchObject({
      bytes: 27,
    });
    expect((await project.search('Grüße')).hits[0]?.chunk.text).toBe('Grüße aus dem Steinbruch.');
  });

  test('ends with a stream that has no end', async () => {
    const endless = function* () {
      for (;;) yield Buffer.alloc(65536, 'y ');
    };
    await expect(add({ uri: 'yes' }, endless())).rejects.toMatchObject({ code: 'document-unsupported' });
  });

  test.each([
    ['a stream without a name', {}, [Buffer.from('text')], 'usage-invalid'],
    ['nothing at all', { uri: 'x' }, undefined, 'usage-invalid'],
    ['what is no text', { uri: 'x' }, [Buffer.from([0xff, 0xfe, 0x00])], 'document-unsupported'],
    ['a file that is not there', { file: 'absent.txt' }, undefined, 'file-unreadable'],
    ['a fact without a value', { uri: 'x', metadata: ['speaker'] }, [Buffer.from('text')], 'usage-invalid'],
  ])('refuses %s', async (_, input, piped, code) => {
    await expect(add(input, piped)).rejects.toMatchObject({ code });
    expect(await project.manifest()).toEqual([]);
  });
});

test('remove takes names with and without their prefix, and says which nothing has', async () => {
  await add({ uri: 'one' }, [Buffer.from('text one')]);
  await add({ uri: 'two' }, [Buffer.from('text two')]);
  await writeFile(join(folder, 'a.md'), 'a file');
  for await (const _ of project.index());
  const result = await remove('one', 'virtual:two', 'a.md');
  expect(result).toEqual({ removed: ['virtual:one', 'virtual:two'], unknown: ['virtual:a.md'] });
  expect(removeOperation.exitCode?.(result)).toBe(2);
  expect(await (await project.store()).paths()).toEqual(['a.md']);
});
