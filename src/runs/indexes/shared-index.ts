import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Source } from '../../contracts/source.ts';
import type { ManifestEntry, Store } from '../../contracts/store.ts';
import { isVirtual } from '../../core/document.ts';
import { isConversation } from '../../core/documents/conversation.ts';
import { QuarryError } from '../../core/errors.ts';
import { setFact } from '../../index/write.ts';
import { readOwnFile } from '../../platform/own-files.ts';
import { writeDurably } from '../../platform/write-durably.ts';
import { configFileName } from '../../settings/config-file-name.ts';
import { unusable } from '../../state-folder/index-folders.ts';

/** The fact that names the copies of a project whose runs have made an index, the latest last. */
const copiesFact = 'copies';
/** A copy that is forgotten is compared once more. */
const maxCopies = 50;
/** The file with the name of this copy, in its state folder. */
const nameFile = 'copy';

/** A run that is about to begin in an index that others may use too. */
export interface JoiningRun {
  readonly store: Store;
  readonly source: Source;
  readonly stateFolder: string;
  /** The driver of the store, for the message. */
  readonly driver: string;
  /** Whether the index is to be made from the files here, whatever it holds. */
  readonly full: boolean;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Sees to it that an index which several machines share is made from one project: a run of another one, to which the same
 * place was given by mistake, would remove all that is not among its own files. A copy of the project whose first run this is
 * must have at least half of the documents, by path and size. The caller holds the lock for text.
 */
export async function joinIndex({ store, source, stateFolder, ...run }: JoiningRun): Promise<void> {
  const own = await copyName(stateFolder);
  const copies = await readCopies(store);
  if (copies.includes(own)) return;
  if (!run.full) {
    const documents = (await store.manifest()).filter(isOfFile);
    const here = documents.length > 0 ? await countHere(documents, source, run.signal) : 0;
    if (2 * here < documents.length) throw otherProject(run.driver, documents.length, here);
  }
  await setFact(store, copiesFact, [...copies, own].slice(-maxCopies).join(' '));
}

/** How many copies of the project have written the index. */
export async function countCopies(store: Store): Promise<number> {
  return (await readCopies(store)).length;
}

async function readCopies(store: Store): Promise<readonly string[]> {
  return (await store.state()).facts.get(copiesFact)?.split(' ') ?? [];
}

/** The name of this copy of the project, which it gets when it first shares an index. */
async function copyName(stateFolder: string): Promise<string> {
  const path = join(stateFolder, nameFile);
  const known = readName(path, stateFolder);
  if (known !== '') return known;
  const name = randomUUID();
  await writeDurably(path, `${name}\n`, 0o600).catch((cause) => {
    throw unusable(stateFolder, cause);
  });
  return name;
}

function readName(path: string, stateFolder: string): string {
  try {
    return readOwnFile(path)?.toString().trim() ?? '';
  } catch (cause) {
    // What cannot be read now is no reason to be another copy from now on.
    throw unusable(stateFolder, cause);
  }
}

/** Settings say nothing: those of two projects may be alike. Nor does content that was added, which is in no file. */
function isOfFile({ uri, status }: ManifestEntry): boolean {
  return status === 'indexed' && uri !== configFileName && !isVirtual(uri) && !isConversation(uri);
}

async function countHere(
  documents: readonly ManifestEntry[],
  source: Source,
  signal: AbortSignal | undefined,
): Promise<number> {
  const sizes = new Map<string, number>();
  for await (const entry of source.scan({ signal }))
    if (entry.kind === 'file') sizes.set(entry.file.uri, entry.file.size);
  return documents.filter(({ uri, size }) => sizes.get(uri) === size).length;
}

function otherProject(driver: string, documents: number, here: number): QuarryError {
  return new QuarryError(
    'store-occupied',
    `The index in the store "${driver}" is of another project: ${here} of its ${documents} documents are among the files here.`,
    'Set store.collection to a name that no other project has. If it is the same project and its files have changed a lot, run: quarry index --full',
  );
}
