// What a watch costs while nothing happens, while one large log grows, and while a file is saved now and then, as a part
// of one core; compared with a process that only receives the system's events of the same folder.
// Usage: npx node bench/watching.ts [--files N] [--seconds N] [--interval SECONDS] [--log-bytes N]
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openProject } from '../src/index.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000' },
    /** How long each kind of activity is measured; idleness for as long as to hold a scan of everything. */
    seconds: { type: 'string', default: '120' },
    /** Between two scans of everything, as it is by default. */
    interval: { type: 'string', default: '300' },
    'log-bytes': { type: 'string', default: '1000000' },
    /** What the forked processes do. */
    role: { type: 'string' },
  },
  allowPositionals: true,
});

/** What a forked process reports when it is asked. */
interface ProcessReport {
  readonly microseconds: number;
  readonly passes: number;
  readonly bytes: number;
}

const settings = {
  'embedder.driver': 'hashing',
  'watch.interval_seconds': Number(values.interval),
};

if (values.role !== undefined) await beWatcher(values.role);
else await compare();

async function beWatcher(role: string): Promise<void> {
  const folder = process.cwd();
  let passes = 0;
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    const report: ProcessReport = { microseconds: user + system, passes, bytes: process.memoryUsage.rss() };
    process.send?.(report);
  });
  if (role === 'bare') {
    watch(folder, { recursive: true }, () => {
      passes += 1;
    });
    process.send?.('ready');
    return;
  }
  const project = await openProject(folder, { settings });
  for await (const event of project.watch()) {
    if (event.type !== 'pass-end') continue;
    passes += 1;
    if (event.pass === 1) process.send?.('ready');
  }
}

async function compare(): Promise<void> {
  const count = Number(values.files);
  const page = (number: number) => `part-${number % 60}/page-${number}.md`;
  const folder = await temporaryFolder(
    Object.fromEntries(
      Array.from({ length: count }, (_, number) => [
        page(number),
        `# Page ${number}\n\nWords of ${number}.\n`,
      ]),
    ),
  );
  const log = join(folder, 'server.log');
  const line = (number: number) =>
    `2026-01-01T00:00:00Z INFO request ${number} was answered in ${number % 90} ms\n`;
  const lines = Math.ceil(Number(values['log-bytes']) / line(0).length);
  writeFileSync(log, Array.from({ length: lines }, (_, number) => line(number)).join(''));

  const ours = await start('quarry', folder);
  const bare = await start('bare', folder);
  console.log(`${count} files, a scan of everything every ${values.interval} s`);
  console.log('| while | quarry, % of a core | passes | MB | bare, % of a core |\n|---|---|---|---|---|');
  await pause(5_000);
  const seconds = Number(values.seconds);
  const whole = Math.max(seconds, 1.02 * Number(values.interval));
  await measure('nothing happens', [ours, bare], { seconds: whole, every: 1_000 }, () => {});
  await measure('a log grows, five lines a second', [ours, bare], { seconds, every: 200 }, (number) =>
    appendFileSync(log, line(number)),
  );
  await measure('a file is saved every 5 s', [ours, bare], { seconds, every: 5_000 }, (number) =>
    writeFileSync(join(folder, page(number)), `# Page\n\nOther words, ${number}.\n`),
  );
  for (const child of [ours, bare]) child.kill();
}

async function measure(
  what: string,
  children: readonly [ChildProcess, ChildProcess],
  { seconds, every }: { readonly seconds: number; readonly every: number },
  act: (time: number) => void,
): Promise<void> {
  const began = performance.now();
  const before = await Promise.all(children.map(ask));
  for (let time = 1; performance.now() - began < seconds * 1000; time += 1) {
    act(time);
    await pause(every);
  }
  const milliseconds = performance.now() - began;
  const after = await Promise.all(children.map(ask));
  const parts = after.map(
    ({ microseconds }, index) => (microseconds - (before[index]?.microseconds ?? 0)) / milliseconds / 10,
  );
  const passes = (after[0]?.passes ?? 0) - (before[0]?.passes ?? 0);
  const megabytes = Math.round((after[0]?.bytes ?? 0) / 1e6);
  console.log(`| ${what} | ${parts[0]?.toFixed(2)} | ${passes} | ${megabytes} | ${parts[1]?.toFixed(2)} |`);
}

async function start(role: string, folder: string): Promise<ChildProcess> {
  const words = ['--role', role, '--interval', values.interval];
  const child = fork(fileURLToPath(import.meta.url), words, { cwd: folder });
  await once(child, 'message');
  return child;
}

async function ask(child: ChildProcess): Promise<ProcessReport> {
  const answer = once(child, 'message');
  child.send('how much');
  const [report] = await answer;
  return report as ProcessReport;
}
