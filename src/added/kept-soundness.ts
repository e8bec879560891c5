import type { Store, StoreDefect } from '../contracts/store.ts';
import { isVirtual } from '../core/document.ts';
import {
  type KeptContent,
  keptDamaged,
  keptFileName,
  parseKept,
  uriInKept,
} from '../core/documents/kept-content.ts';
import { interrupted, type QuarryError } from '../core/errors.ts';
import { isUnreadable } from '../index/findings.ts';
import { keptFiles, readKept, unreadable } from './kept-folder.ts';
import { type KeptPlace, type KeptProof, keptProof } from './kept-proof.ts';
import { keepRecord } from './stored-content.ts';

/** A file of added content that is not whole. */
interface DamagedFile {
  readonly name: string;
  readonly defect: StoreDefect;
}

/** Looks at every file of added content without changing it. */
export async function* damagedFiles(place: KeptPlace, signal?: AbortSignal): AsyncGenerator<DamagedFile> {
  const { folder: project } = place;
  const names = await keptFiles(project);
  const proof = names.length > 0 ? await keptProof(place) : undefined;
  for (const name of names) {
    if (signal?.aborted) throw interrupted(signal.reason);
    const bytes = readOrError(project, name);
    if (bytes === undefined) continue;
    const kept = bytes instanceof Error ? bytes.message : ownContent(bytes, name, proof);
    if (typeof kept !== 'string') continue;
    const uri = bytes instanceof Error ? undefined : uriInKept(bytes, name);
    const { message } = keptDamaged(name, kept, uri);
    yield { name, defect: { kind: 'content', detail: message, ...(uri !== undefined && { uri }) } };
  }
}

function ownContent(bytes: Uint8Array, name: string, proof: KeptProof | undefined): KeptContent | string {
  const kept = parseKept(bytes, name);
  return typeof kept === 'string' || proof?.isOwn(bytes)
    ? kept
    : 'it was added by somebody else or an earlier version';
}

function readOrError(project: string, name: string): Uint8Array | QuarryError | undefined {
  try {
    return readKept(project, name);
  } catch (thrown) {
    return unreadable(name, thrown);
  }
}

/** What came of repairing added content. */
export interface KeptRepair {
  /** Files that were written again from the index. */
  readonly repaired: readonly StoreDefect[];
  /** Content that neither its file nor the index holds as a whole. */
  readonly lost: readonly StoreDefect[];
}

/**
 * Writes damaged files again from the index, as far as that can be read: it is repaired, or about to be replaced. What it
 * does not hold stays as it is.
 */
export async function repairKept(
  project: KeptPlace,
  store: Store | undefined,
  signal?: AbortSignal,
): Promise<KeptRepair> {
  const repaired: StoreDefect[] = [];
  const lost: StoreDefect[] = [];
  const keepAgain = async (uri: string | undefined): Promise<boolean> => {
    try {
      return store !== undefined && uri !== undefined && (await keepRecord(project, store, uri));
    } catch (thrown) {
      if (!isUnreadable(thrown)) throw thrown;
      return false;
    }
  };
  for await (const { name, defect } of damagedFiles(project, signal)) {
    const uri = (await addedPaths(store)).find((each) => keptFileName(each) === name);
    if (await keepAgain(uri)) repaired.push({ ...defect, ...(uri !== undefined && { uri }) });
    else lost.push(defect);
  }
  return { repaired, lost };
}

/** The added content that an index lists; none where that cannot be read. */
export async function addedPaths(store: Store | undefined): Promise<readonly string[]> {
  try {
    return ((await store?.paths()) ?? []).filter(isVirtual);
  } catch (thrown) {
    if (!isUnreadable(thrown)) throw thrown;
    return [];
  }
}
