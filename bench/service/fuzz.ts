// Malformed requests to every route and over WebSockets: none may end the server, find a defect, or be told a path.
// Usage: npx node bench/service/fuzz.ts [--requests N] [--seed N]
import { parseArgs } from 'node:util';
import { fuzz } from '../../src/surfaces/http/fuzz/fuzz.fixture.ts';
import { startTarget } from '../../src/surfaces/http/fuzz/fuzz-server.fixture.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
const crashes: string[] = [];
process.on('uncaughtException', (error) => crashes.push(String(error.stack)));
process.on('unhandledRejection', (reason) => crashes.push(String((reason as Error)?.stack ?? reason)));

// A run that is ended early reports what it has seen.
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());

const { running, folder, target } = await startTarget();
const started = performance.now();
const report = await fuzz(target, {
  requests: Number(values.requests),
  seed: Number(values.seed),
  atOnce: 32,
  signal: stop.signal,
});
const seconds = (performance.now() - started) / 1000;
// A request to forget the project may have been a right one.
const { id } = await running.client.openFolder(folder);
await running.client.call(id, 'search', { query: 'heron' });
const statuses = [...report.answers].sort(([one], [other]) => (one < other ? -1 : 1));
console.log(
  `${report.sent} malformed requests in ${seconds.toFixed(0)} s, ${report.webSockets} of them over a WebSocket`,
);
console.log(statuses.map(([status, count]) => `${status}: ${count}`).join(', '));
console.log(`${crashes.length} crashes, ${report.faults.length} faults, ${report.leaks.length} leaks`);
for (const line of [...new Set([...crashes, ...report.faults, ...report.leaks])].slice(0, 20))
  console.log(line);
target.agent.destroy();
await running.server.end();
process.exitCode = crashes.length + report.faults.length + report.leaks.length > 0 ? 1 : 0;
