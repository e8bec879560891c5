import { documentsAtOnce } from '../../../index/commit.ts';
import { putDocument } from '../../../index/write.ts';
import { mapInOrder } from '../../../platform/map-in-order.ts';
import { chunkEntries, documentRecord } from '../../../testing/documents.ts';
import { driverContext } from '../../../testing/driver-context.ts';
import driver from './driver.ts';

/** Puts documents without an end, many at once, and prints the uri of each that is stored; run in a process that is killed. */
const store = await driver.open({}, driverContext({ stateFolder: process.argv[2] ?? '' }));

function* uris(): Generator<string> {
  for (let number = 0; ; number += 1) yield `${process.argv[3]}-${number}.md`;
}

const put = async (uri: string): Promise<string> => {
  const document = documentRecord(uri);
  await putDocument(store, { document, chunks: chunkEntries(document, ['one', 'two', 'three']) });
  return uri;
};

for await (const uri of mapInOrder(uris(), documentsAtOnce(store), put)) process.stdout.write(`${uri}\n`);
