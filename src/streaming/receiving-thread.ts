import { serveCalls } from '../platform/threads/serve-calls.ts';
import { decodeBatch } from './batch.ts';
import { readFirstMessage } from './first-protocol.ts';
import { brokenProtocol, type StreamLimits } from './protocol.ts';
import { ReceivedFiles } from './received-files.ts';
import type { ReceivingAnswer, ReceivingRequest } from './receiving.ts';

/** Sessions by their name; each belongs to one client. */
const sessions = new Map<string, ReceivedFiles>();

serveCalls(async (request: ReceivingRequest): Promise<{ value: ReceivingAnswer }> => {
  const { session, work } = request;
  if (work.type === 'begin') {
    const files = new ReceivedFiles(work.project, work.base, work.limits);
    sessions.set(session, files);
    return { value: { revision: files.revision } };
  }
  const files = sessions.get(session);
  if (work.type === 'end') {
    sessions.delete(session);
    files?.close();
    return { value: {} };
  }
  if (!files) throw brokenProtocol('the session was lost');
  if (work.type === 'stage') return { value: { needs: files.stage(work.first, work.entries, work.removed) } };
  if (work.type === 'complete') {
    const stats = files.complete(work.files, work.bytes);
    return { value: stats ? { stats } : {} };
  }
  if (work.type === 'first-protocol') return { value: await answerFirst(files, work.message, work.limits) };
  const { batch, pieces } = await decodeBatch(work.message, work.limits);
  // After one that was damaged on its way, those behind it have to come again in their order.
  const isKept = pieces !== undefined && batch === work.expected;
  if (isKept) files.put(pieces);
  return { value: { batch, isKept } };
});

async function answerFirst(
  files: ReceivedFiles,
  message: Uint8Array,
  limits: StreamLimits,
): Promise<ReceivingAnswer> {
  const said = await readFirstMessage(message, limits);
  if (said.type === 'complete') {
    const stats = files.completeFiles(said.files);
    return { said: 'complete', ...(stats && { stats }) };
  }
  const { batchId, damaged } = said;
  if (damaged.length > 0)
    return { said: 'batch', batchId, reason: `the checksum of ${JSON.stringify(damaged[0])} is wrong` };
  files.putFiles(said.files);
  return { said: 'batch', batchId, files: said.files.length };
}
