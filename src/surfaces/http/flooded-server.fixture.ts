import { startTestServer } from './server.fixture.ts';

/** A server in a process of its own, whose memory is its own too. Says where it is, and its memory when asked. */
const running = await startTestServer({ isOpen: false });
process.send?.({ url: running.url });
process.on('message', () => process.send?.({ memory: process.memoryUsage.rss() }));
process.on('disconnect', () => void running.server.end());
