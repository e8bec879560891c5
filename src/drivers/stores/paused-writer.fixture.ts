import { expect, vi } from 'vitest';
import type { Store, StoreLocks } from '../../contracts/store.ts';
import { chunksOf } from '../../index/chunks-of.ts';
import { deletePaths, putDocument } from '../../index/write.ts';
import { chunkEntries, documentRecord } from '../../testing/documents.ts';

/** A writer that was paused until another took its lock over writes nothing more, and the other one does. */
export async function checkPausedWriter(locks: StoreLocks | undefined, store: Store): Promise<void> {
  const document = documentRecord('a.md');
  const put = (text: string) => putDocument(store, { document, chunks: chunkEntries(document, [text]) });
  const texts = async () => (await chunksOf(store, document.id)).map(({ text }) => text);
  // Nothing is renewed while a process is paused.
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'] });
  try {
    const paused = await locks?.take('writer.lock');
    expect(paused).toBeDefined();
    await put('before');
    vi.setSystemTime(Date.now() + 150_000);
    const next = await locks?.take('writer.lock');
    expect(next).toBeDefined();
    await expect(put('too late')).rejects.toMatchObject({ code: 'lock-lost' });
    await expect(deletePaths(store, ['a.md'])).rejects.toMatchObject({ code: 'lock-lost' });
    expect(await texts()).toEqual(['before']);
    paused?.release();
    await put('by the next');
    expect(await texts()).toEqual(['by the next']);
    next?.release();
  } finally {
    vi.useRealTimers();
  }
}
