import { afterAll, expect, test } from 'vitest';
import { pdfOf } from '../../drivers/extractors/samples.fixture.ts';
import { resourcesOf } from '../resources.ts';
import { settingsSchema } from '../settings/settings.ts';
import { openReading } from './reading-pool.ts';

const settings = settingsSchema.parse({ index: { threads: 1 }, resources: { memory_mb: 256 } });
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
