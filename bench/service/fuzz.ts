// Malformed requests to every route and over WebSockets: none may end the server, find a defect, or be told a path.
// Usage: npx node bench/service/fuzz.ts [--requests N] [--seed N]
import { parseArgs } from 'node:util';
import { faultsIn, fuzz } from '../../src/surfaces/http/fuzz/fuzz.fixture.ts';
import { type ServerState, startTarget } from '../../src/surfaces/http/fuzz/fuzz-server.fixture.ts';

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
  },
});
// A run that is ended early reports what it has seen.
const stop = new AbortController();
for (const name of ['SIGTERM', 'SIGINT'] as const) process.on(name, () => stop.abort());

const { target, state, answers, end } = await startTarget();
const mebibytes = ({ memory }: ServerState): string => `${Math.round(memory / 1024 / 1024)} MiB`;
// What is loaded with the first requests stays.
await fuzz(target, { requests: 1000, seed: Number(values.seed) + 1, atOnce: 32 });
const before = await state();
const started = performance.now();
let max = before;
const looking = setInterval(async () => {
  const now = await state();
  if (now.memory > max.memory) max = now;
}, 5_000);
const report = await fuzz(target, {
  requests: Number(values.requests),
  seed: Number(values.seed),
  atOnce: 32,
  signal: stop.signal,
});
const seconds = (performance.now() - started) / 1000;
clearInterval(looking);
const after = await state();
const faults = faultsIn(report, after.failures);
const isWell = await answers();
const statuses = [...report.answers].sort(([one], [other]) => (one < other ? -1 : 1));
console.log(
  `${report.sent} malformed requests in ${seconds.toFixed(0)} s, ${report.webSockets} of them over a WebSocket`,
);
console.log(statuses.map(([status, count]) => `${status}: ${count}`).join(', '));
console.log(
  `memory ${mebibytes(before)} before, ${mebibytes(max)} at most (every 5 s, after a collection), ${mebibytes(after)} after`,
);
console.log(
  `${after.crashes.length} crashes, ${faults.length} faults, ${report.leaks.length} leaks; it answers: ${isWell}`,
);
for (const line of [...new Set([...after.crashes, ...faults, ...report.leaks])].slice(0, 20))
  console.log(line);
await end();
process.exitCode = after.crashes.length + faults.length + report.leaks.length > 0 || !isWell ? 1 : 0;
