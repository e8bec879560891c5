import { afterAll, expect, test } from 'vitest';
import { pdfOf } from '../drivers/extractors/samples.fixture.ts';
import { resourcesOf } from '../settings/resources.ts';
import { settingsSchema } from '../settings/settings.ts';
import { openReading } from './reading-pool.ts';

const settings = settingsSchema.parse({
  index: { file_seconds: 600 },
  resources: { threads: 1, memory_mb: 256 },
});
const reading = openReading(settings);
afterAll(() => reading.close());

const read = (uri: string, bytes: Uint8Array) =>
  reading.read({ file: { uri, size: bytes.length, modifiedAt: 1 }, bytes, revision: 'r' });

test('a PDF has the memory of a reader and no more, and says what to raise', async () => {
  const lines = Array.from({ length: 1_200_000 }, (_, at) => `line ${at}`);
  await expect(read('large.pdf', pdfOf([lines]))).rejects.toMatchObject({
    code: 'worker-failed',
    message: `It needed more than ${resourcesOf(settings).readerMegabytes} MB of memory.`,
    remedy: expect.stringContaining('resources.memory_mb'),
  });
  expect(await read('small.pdf', pdfOf([['Hello']]))).toMatchObject({ kind: 'document' });
});

test('files of one project after another are read by the settings of each', async () => {
  const typesOf = async (name: string) => {
    const parsed = settingsSchema.parse({ resources: { threads: 1 }, types: { [name]: ['*.md'] } });
    const own = openReading(parsed);
    const bytes = Buffer.from('# Tea\n\nGreen tea.\n');
    const file = { uri: 'tea.md', size: bytes.length, modifiedAt: 1 };
    const read = await own.read({ file, bytes, revision: 'r' });
    await own.close();
    return read;
  };
  for (const type of ['leaf', 'herb', 'leaf'])
    expect(await typesOf(type)).toMatchObject({ kind: 'document', document: { type } });
});
