import { expect, test } from 'vitest';
import { openMemoryStore } from '../drivers/stores/memory/store.ts';
import { putDocument } from '../index/write.ts';
import { chunkEntries, documentRecord, manifestEntry } from '../testing/documents.ts';
import { refuseConversations } from './refuse-conversations.ts';

test('conversations with agents leave this machine by no migration', async () => {
  const store = openMemoryStore();
  const target = (driver: string) => ({ store: { driver } }) as never;
  const put = async (uri: string) => {
    const document = { ...documentRecord(uri), type: 'conversation' };
    await putDocument(store, {
      document,
      chunks: chunkEntries(document, ['a lamp']),
      manifest: manifestEntry(uri, { chunks: 1 }),
    });
  };
  await put('chats/crew.txt');
  await expect(refuseConversations(store, target('postgres'))).resolves.toBeUndefined();
  await put('conversation:work/claude-2026-10-03.aaaabbbbcccc');
  await expect(refuseConversations(store, target('postgres'))).rejects.toThrow('holds 1 session with agents');
  await expect(refuseConversations(store, target('lancedb'))).resolves.toBeUndefined();
});
