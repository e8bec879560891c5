// The client of Quarry against an embedding server: the real driver behind the real batching, on texts of a fixed seed.
// Usage: node bench/gpu/client.ts --url http://127.0.0.1:8080 --mix mixed
import { parseArgs } from 'node:util';
import type { Embedder } from '../../src/contracts/embedder.ts';
import type { TextToEmbed } from '../../src/contracts/vector-source.ts';
import { embedStream } from '../../src/embedding/batching/embed-stream.ts';
import { createThroughput } from '../../src/embedding/batching/throughput.ts';
import { counted } from './counted.ts';
import { type DriverSettings, openReference } from './open-reference.ts';
import { reportedUtilisation, serverCounters } from './server-counters.ts';
import { type LengthMix, textsOf, wordPiece } from './texts.ts';

const { values: given } = parseArgs({
  options: {
    url: { type: 'string', default: 'http://127.0.0.1:8080' },
    mix: { type: 'string', default: 'mixed' },
    /** Calls at the same time; the driver's own choice unless given. */
    concurrency: { type: 'string' },
    /** Seconds before the measurement, in which the size of calls is found. */
    warm: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '5' },
    /** Distinct texts; they are repeated until the time is over. */
    texts: { type: 'string', default: '50000' },
  },
});

const settings: DriverSettings = {
  url: given.url,
  ...(given.concurrency === undefined ? {} : { concurrency: Number(given.concurrency) }),
};
const pool = textsOf(Number(given.texts), given.mix as LengthMix);
const lengths = pool.map((text) => wordPiece.encode(text).length + 2);
const { embedder, counts } = counted(await openReference(settings));
const throughput = createThroughput();

function round(value: number): number {
  return Number(value.toFixed(4));
}

/** How often each text was given out and came back. */
const outcomes = { given: 0, vectors: 0, refused: 0, tokens: 0 };
const timesTold = new Uint8Array(50_000_000);
const samples = new Map<number, Float32Array>();

async function* texts(until: number): AsyncGenerator<TextToEmbed<number>> {
  while (performance.now() < until) {
    const owner = outcomes.given;
    outcomes.given += 1;
    yield { text: pool[owner % pool.length] as string, owner };
  }
}

/** Sizes of calls as the search went through them, in tokens, each with the second at which it began. */
const budgetPath: [second: number, tokens: number][] = [];

function noteBudget(): void {
  const tokens = Math.round(throughput.size.tokens);
  if (budgetPath.at(-1)?.[1] !== tokens) budgetPath.push([round((performance.now() - began) / 1000), tokens]);
}

interface Moment {
  readonly at: number;
  readonly cpu: NodeJS.CpuUsage;
  readonly vectors: number;
  readonly tokens: number;
  readonly busy: number;
  readonly loop: ReturnType<typeof performance.eventLoopUtilization>;
}

async function moment(): Promise<Moment> {
  const { busy_seconds: busy } = await serverCounters(given.url);
  const { vectors, tokens } = outcomes;
  const loop = performance.eventLoopUtilization();
  return { at: performance.now(), cpu: process.cpuUsage(), vectors, tokens, busy, loop };
}

async function consume(until: number): Promise<void> {
  for await (const outcome of embedStream(embedder, texts(until), { throughput })) {
    noteBudget();
    if (outcome.kind === 'refused') {
      outcomes.refused += 1;
      continue;
    }
    for (const { owner, vector } of outcome.entries) {
      timesTold[owner] = (timesTold[owner] ?? 0) + 1;
      outcomes.tokens += lengths[owner % pool.length] as number;
      if (owner % 9973 === 0) samples.set(owner, vector.slice());
    }
    outcomes.vectors += outcome.entries.length;
  }
}

/** The lowest cosine between vectors from large calls and those of the same texts embedded one by one. */
async function lowestAgreement(alone: Embedder): Promise<number> {
  let lowest = 1;
  for (const [owner, vector] of [...samples].slice(0, 40)) {
    const [expected] = await alone.embed([pool[owner % pool.length] as string], { as: 'chunk' });
    const cosine = vector.reduce((sum, value, at) => sum + value * (expected?.[at] ?? 0), 0);
    lowest = Math.min(lowest, cosine);
  }
  return lowest;
}

const warm = Number(given.warm) * 1000;
const whole = warm + Number(given.seconds) * 1000;
const began = performance.now();
const marks: Moment[] = [];
const utilisations: number[] = [];
const timers = [warm, whole - 50].map((after) =>
  setTimeout(async () => void marks.push(await moment()), after),
);
const sampler = setInterval(async () => {
  const share = await reportedUtilisation();
  if (share !== undefined) utilisations.push(share);
}, 1000);
await consume(began + whole);
for (const timer of timers) clearTimeout(timer);
clearInterval(sampler);

const [start, end] = marks;
if (!start || !end) throw new Error('the run was too short to be measured');
const seconds = (end.at - start.at) / 1000;
const cpuSeconds = (end.cpu.user + end.cpu.system - start.cpu.user - start.cpu.system) / 1e6;
const rate = (amount: number): number => Math.round(amount / seconds);
console.log(
  JSON.stringify({
    measured: 'client',
    mix: given.mix,
    concurrency: embedder.limits.concurrency,
    textsPerSecond: rate(end.vectors - start.vectors),
    tokensPerSecond: rate(end.tokens - start.tokens),
    gpuBusy: round((end.busy - start.busy) / seconds),
    gpuReported: utilisations.map((share) => round(share)),
    clientCores: round(cpuSeconds / seconds),
    mainThreadBusy: round(performance.eventLoopUtilization(end.loop, start.loop).utilization),
    cpuSecondsPerThousandTexts: round((cpuSeconds / (end.vectors - start.vectors)) * 1000),
    budget: {
      tokens: Math.round(throughput.size.tokens),
      isSettled: throughput.size.isSettled,
      path: budgetPath,
    },
    ...counts,
    given: outcomes.given,
    refusedTexts: outcomes.refused,
    lost: timesTold.subarray(0, outcomes.given).filter((times) => times === 0).length - outcomes.refused,
    toldTwice: timesTold.subarray(0, outcomes.given).filter((times) => times > 1).length,
    lowestCosine: round(await lowestAgreement(embedder)),
    megabytesResident: Math.round(process.memoryUsage().rss / 1e6),
    megabytesAtMost: Math.round((process.resourceUsage().maxRSS * 1024) / 1e6),
  }),
);
await embedder.close();
