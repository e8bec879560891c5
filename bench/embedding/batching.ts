// How fast texts are embedded in batches, here and in another checkout, in one run: on a simulated device, whose
// milliseconds are exact and cost no time; and against a local server of the `openai` protocol, in alternating rounds, in
// CPU seconds of client and server together, since other work on the machine changes these least.
// Usage: npx node bench/embedding/batching.ts [--base FOLDER] [--texts N] [--rounds N]
// FOLDER is another checkout of this repository with its packages installed.
import { tmpdir } from 'node:os';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import type { Embedder } from '../../src/contracts/embedder.ts';
import type { embedStream } from '../../src/embedding/batching/embed-stream.ts';
import type { startOpenAiServer } from '../../test/servers/embedding/openai-server.ts';
import type { createSimulatedDevice, SimulatedDeviceOptions } from '../../test/simulated-device.ts';

/** The parts of one checkout. */
interface Checkout {
  readonly name: string;
  readonly embedStream: typeof embedStream;
  readonly createSimulatedDevice: typeof createSimulatedDevice;
  readonly startOpenAiServer: typeof startOpenAiServer;
  openServed(url: string): Promise<Embedder>;
}

const { values } = parseArgs({
  options: {
    base: { type: 'string' },
    texts: { type: 'string', default: '20000' },
    rounds: { type: 'string', default: '3' },
  },
});
const count = Number(values.texts);

const draw = (seed: number): number => (Math.imul(seed ^ (seed >>> 15), 2_654_435_761) >>> 0) / 2 ** 32;
/** Lengths with a long tail, as chunks of code and documents have them. */
const lengths = Array.from({ length: count }, (_, at) => Math.round(8 + 300 * draw(at + 1) ** 1.6));
const texts = lengths.map((length, at) => `${at} `.padEnd(length * 4, 'abc '));
const useful = lengths.reduce((sum, length) => sum + length, 0);

const gpu = { perCall: 5, perToken: 0.0005, limits: { batchTexts: 2048, concurrency: 4 } };
const scenes: Readonly<Record<string, SimulatedDeviceOptions>> = {
  'GPU behind a server': gpu,
  'the same, one call at a time': { ...gpu, limits: { batchTexts: 2048, concurrency: 1 } },
  'memory for 40,000 tokens': { ...gpu, memoryTokens: 40_000 },
  'dear calls, memory for 10,000': { ...gpu, perCall: 200, memoryTokens: 10_000 },
  'four lanes, calls vary': { ...gpu, lanes: 4, latency: ({ number }) => 20 * draw(number + 7) },
  'calls that pack their rows': { ...gpu, pads: false },
  'one text of 500 refused': { ...gpu, refuses: (text) => Number.parseInt(text, 10) % 500 === 499 },
  'body of 200 kB': { ...gpu, bodyBytes: 200_000 },
  '600 calls a minute': { ...gpu, limits: { ...gpu.limits, callsPerMinute: 600, batchTokens: 16_384 } },
  'gains nothing from size': {
    perCall: 1,
    perToken: 0.05,
    pads: false,
    lanes: 2,
    limits: { batchTexts: 8, concurrency: 2, gainsFromSize: false },
  },
};

const checkouts = await Promise.all(
  [['here', '.'] as const, ...(values.base ? [['base', values.base] as const] : [])].map(([name, folder]) =>
    openCheckout(name, folder),
  ),
);

console.log(`${count} texts, ${useful} tokens; tokens a second, and calls`);
console.log(`| backend | ${checkouts.map(({ name }) => name).join(' | ')} | here / base |`);
console.log(`|---|${checkouts.map(() => '---|').join('')}---|`);
for (const [scene, options] of Object.entries(scenes)) {
  const results = [];
  for (const { embedStream: embed, createSimulatedDevice: create } of checkouts) {
    const device = create(options);
    await drain(embed(device, source(), { clock: device.clock }));
    const last = device.ended.reduce((latest, { endedAt }) => Math.max(latest, endedAt), 0);
    results.push({ rate: (1000 * useful) / last, calls: device.ended.length });
  }
  row(scene, results);
}

const served = checkouts.map(() => ({ seconds: Number.POSITIVE_INFINITY, calls: 0 }));
for (let round = 0; round < Number(values.rounds); round += 1) {
  for (const [at, { embedStream: embed, startOpenAiServer: start, openServed }] of checkouts.entries()) {
    const server = await start({});
    const embedder = await openServed(server.url);
    const began = process.cpuUsage();
    await drain(embed(embedder, source()));
    const used = process.cpuUsage(began);
    const seconds = (used.user + used.system) / 1e6;
    const best = served[at];
    if (best && seconds < best.seconds) served[at] = { seconds, calls: server.calls.length };
    await embedder.close();
    await server.close();
  }
}
row(
  `local server, best of ${values.rounds}, of a CPU second`,
  served.map(({ seconds, calls }) => ({ rate: useful / seconds, calls })),
);

function row(name: string, results: readonly { readonly rate: number; readonly calls: number }[]): void {
  const cells = results.map(({ rate, calls }) => `${Math.round(rate)} (${calls})`);
  const [here, base] = results;
  console.log(
    `| ${name} | ${cells.join(' | ')} | ${here && base ? (here.rate / base.rate).toFixed(3) : ''} |`,
  );
}

async function* source(): AsyncGenerator<{ text: string; owner: number }> {
  for (const [owner, text] of texts.entries()) yield { text, owner };
}

async function drain(outcomes: AsyncIterable<unknown>): Promise<void> {
  for await (const outcome of outcomes) void outcome;
}

async function openCheckout(name: string, folder: string): Promise<Checkout> {
  const part = (path: string) => import(pathToFileURL(resolve(folder, path)).href);
  const { embedStream: embed } = await part('src/embedding/batching/embed-stream.ts');
  const { createSimulatedDevice: create } = await part('test/simulated-device.ts');
  const { startOpenAiServer: start } = await part('test/servers/embedding/openai-server.ts');
  const { driverContext } = await part('src/testing/driver-context.ts');
  const { embedders } = await part('src/drivers/manifest.ts');
  return {
    name,
    embedStream: embed,
    createSimulatedDevice: create,
    startOpenAiServer: start,
    async openServed(url) {
      const { default: driver } = await embedders.openai();
      const options = driver.options.parse({ url, model: 'test-embedding' });
      return driver.open(options, driverContext({ cacheFolder: tmpdir() }));
    },
  };
}
