import { expect, test } from 'vitest';
import { createClient } from './client.ts';
import type { Frame } from './frames.ts';

/** A client of a server that answers everything with these frames. */
function clientOf(...frames: readonly Frame[]) {
  async function* body() {
    for (const frame of frames) yield new TextEncoder().encode(`${JSON.stringify(frame)}\n`);
  }
  return createClient(async () => ({ status: 200, header: () => undefined, body: body() }));
}

test('what a caller throws at an event is its own failure, and no lost answer', async () => {
  const client = clientOf({ event: { type: 'scan-start' } });
  const onEvent = () => {
    throw new RangeError('too much');
  };
  await expect(client.call('p', 'index', {}, { onEvent })).rejects.toThrow(RangeError);
  await expect(client.call('p', 'index', {})).rejects.toMatchObject({ code: 'answer-lost' });
});
