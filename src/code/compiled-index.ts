import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, QuarryError } from '../core/errors.ts';
import type { CodeGraph } from '../graph/code-graph.ts';
import type { CompiledIndex } from '../graph/compiled/pack-compiled.ts';

/** What tools that run compilers write in the top folder of a project. */
export const compiledIndexName = 'index.scip';
/** A larger index is not used: reading it would keep an answer waiting for minutes. */
const maxBytes = 2 ** 28;

/** Raised when other things are kept of an index, or other words are kept of what is left out. */
const version = 2;

const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants;

/** Names the index of a compiler as it lies in a project; empty where there is none. A link is none. */
export function compiledStamp(folder: string): string {
  try {
    const found = lstatSync(join(folder, compiledIndexName), { throwIfNoEntry: false });
    return found?.isFile() ? `${version} ${found.size} ${found.mtimeMs} ${found.ino}` : '';
  } catch {
    // A folder that cannot be looked into has none.
    return '';
  }
}

/** Takes over the index of a compiler where it is another one than before; what cannot be used of it is noted. */
export async function takeCompiled(graph: CodeGraph, folder: string, signal?: AbortSignal): Promise<void> {
  const stamp = compiledStamp(folder);
  if (graph.compiled().stamp === stamp) return;
  const none = { files: [], definitions: [], leftOut: 0 };
  if (stamp === '') return graph.takeCompiled({ stamp }, none);
  const read = await readIndex(join(folder, compiledIndexName), signal);
  if (typeof read === 'string') graph.takeCompiled({ stamp, gap: `is not used: ${read}` }, none);
  else graph.takeCompiled({ stamp, ...gapOf(read) }, read);
}

function gapOf({ leftOut }: CompiledIndex): { readonly gap?: string } {
  if (leftOut === 0) return {};
  return {
    gap: `is used without ${leftOut === 1 ? 'one file' : `${leftOut} files`}, of which it says too much`,
  };
}

/** Why a compiler's index is not used, or not all of it, where that is so. */
export function compiledGap(graph: CodeGraph): QuarryError | undefined {
  const { gap } = graph.compiled();
  if (gap === undefined) return undefined;
  return new QuarryError(
    'document-unsupported',
    `${compiledIndexName} ${gap}.`,
    'Build it again, or remove it: answers do without it.',
  );
}

/** What an index says, or why it cannot be used. */
async function readIndex(path: string, signal: AbortSignal | undefined) {
  let file: number;
  try {
    file = openSync(path, O_RDONLY | (O_NOFOLLOW ?? 0) | (O_NONBLOCK ?? 0));
  } catch (thrown) {
    return `it cannot be opened (${messageOf(thrown)})`;
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) return 'it is not a file';
    if (stats.size > maxBytes) return `it is larger than ${maxBytes / 2 ** 20} MB`;
    const { packCompiled } = await import('../graph/compiled/pack-compiled.ts');
    const read = (position: number, length: number): Uint8Array => {
      const bytes = Buffer.alloc(Math.max(0, Math.min(length, stats.size - position)));
      return bytes.subarray(0, readSync(file, bytes, 0, bytes.length, position));
    };
    const index = await packCompiled(read, stats.size, signal);
    if (!index) return 'it says more than is kept of one';
    return index.definitions.length === 0 ? 'nothing in it could be understood' : index;
  } finally {
    closeSync(file);
  }
}
