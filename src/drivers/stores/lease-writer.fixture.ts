import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Store } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { carryFences, commit } from '../../index/commit.ts';
import { type Lease, takeLease } from '../../index/lease.ts';
import { putDocument } from '../../index/write.ts';
import { openLease, openStore } from '../../opening/open-driver.ts';
import { settingsSchema } from '../../settings/settings.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';
import { driverContext } from '../../testing/driver-context.ts';

/** Milliseconds after which a lease is taken over here. */
const term = 2_000;
const leaseName = 'writer.lock';
const document = documentRecord('a.md');

/** A store as the settings name it, in a folder, with variables of the environment. */
export interface Place {
  readonly store: Readonly<Record<string, unknown>>;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
}

/** A process that writes an index under a lease, which it waits for. */
export interface LeaseWriter {
  readonly store: Store;
  readonly lease: Lease;
  put(text: string): Promise<boolean>;
  texts(): Promise<string[]>;
}

/** Takes the lease and opens the store, as a project does. */
export async function openWriter({ store: given, folder, variables }: Place): Promise<LeaseWriter> {
  const settings = settingsSchema.parse({ store: given });
  const context = driverContext({ stateFolder: folder, environment: (name) => variables[name] });
  const open = async () => ({ ...(await openLease(settings, context, leaseName, async () => {})), term });
  // Who waits gets it.
  const lease = (await takeLease(open, { wait: true })) as Lease;
  const store = await openStore(settings, { ...context, stateFolder: join(folder, 'index-1') });
  carryFences(store, () => new Map([[leaseName, lease.fence()]]));
  if (lease.isTakenOver) await commit(store, {});
  return {
    store,
    lease,
    put: (text) => putDocument(store, { document, chunks: chunkEntries(document, [text]) }),
    texts: async () => (await chunksOf(store, document.id)).map(({ text }) => text),
  };
}

/** As a process that is paused between two writes: prints that the first is done, waits for a word, and prints what became of the second. */
async function writeTwice(place: Place): Promise<void> {
  const writer = await openWriter(place);
  await writer.put('before');
  process.stdout.write('written');
  await once(process.stdin, 'data');
  const outcome = await writer.put('too late').then(
    () => 'stored',
    (thrown) => String(thrown.code),
  );
  process.stdout.write(outcome);
}

const [, script, given] = process.argv;
if (given !== undefined && script === fileURLToPath(import.meta.url)) await writeTwice(JSON.parse(given));
