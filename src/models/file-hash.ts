import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';

/** SHA-256 of a file's content, read as a stream. */
export async function hashOfFile(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const part of createReadStream(path, { highWaterMark: 2 ** 20 })) hash.update(part);
  return hash.digest('hex');
}

/** Hashes by path, with what the file looked like when it was read. */
const remembered = new Map<string, { readonly state: string; readonly hash: Promise<string> }>();

/** The hash of a file; as long as its size and time stay the same it is read only once in the life of the process. */
export async function rememberedHashOfFile(path: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true });
  const state = `${size} ${mtimeNs} ${ino}`;
  const known = remembered.get(path);
  if (known?.state === state) return known.hash;
  const hash = hashOfFile(path);
  remembered.set(path, { state, hash });
  // The caller hears of it; a failure is not remembered.
  hash.catch(() => remembered.delete(path));
  return hash;
}
