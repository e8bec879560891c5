// What a project costs over its size: the first answer, all text, a run with nothing changed, one file changed, searches, all
// vectors, memory and disk. The files are those of installed packages, with variations.
//   npx node bench/growth.ts --results FILE [--files 1000,10000,100000] [--place FOLDER] [--without "all vectors,…"]
//     [--embedder hashing] [--seconds 3600] [--chart docs/guide/growth.svg]
// Each step is a process of its own. What FILE has already is not measured again, so that a bench that was stopped continues;
// a step that takes longer than --seconds is ended and noted as such.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { temporaryFolder } from '../test/temporary-folder.ts';
import { chartOf } from './growth/chart.ts';
import { writeProject } from './growth/generated-project.ts';
import { type Measured, steps, takeStep } from './growth/steps.ts';
import { sourceTexts } from './source-files.ts';

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '1000,10000' },
    results: { type: 'string', default: '' },
    place: { type: 'string' },
    without: { type: 'string', default: '' },
    embedder: { type: 'string', default: 'hashing' },
    seconds: { type: 'string', default: '3600' },
    packages: { type: 'string', default: fileURLToPath(new URL('../node_modules', import.meta.url)) },
    chart: { type: 'string' },
    step: { type: 'string' },
    folder: { type: 'string', default: '' },
  },
});

/** A line of the results: what a step took at a size, or that it was ended. */
interface Result extends Partial<Measured> {
  readonly files: number;
  readonly step: string;
  readonly bytes: number;
  readonly failed?: string;
}

if (values.step) console.log(JSON.stringify(await takeStep(values.step, values.folder, values.embedder)));
else {
  const results = await measureAll();
  print(results);
  if (values.chart) writeFileSync(values.chart, chartOf(linesOf(results)));
}

async function measureAll(): Promise<Result[]> {
  const file = values.results;
  const results: Result[] = existsSync(file)
    ? readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .filter(Boolean)
        .map((line) => JSON.parse(line))
    : [];
  const place = values.place ?? (await temporaryFolder());
  const home = join(place, 'home');
  const left = Object.keys(steps).filter((step) => !values.without.split(',').includes(step));
  for (const files of values.files.split(',').map(Number)) {
    const isKnown = (step: string) => results.some((one) => one.files === files && one.step === step);
    if (left.every(isKnown)) continue;
    const folder = join(place, `files-${files}`);
    const written = join(place, `files-${files}.bytes`);
    if (!existsSync(written)) {
      mkdirSync(folder, { recursive: true });
      const bytes = writeProject(folder, sourceTexts(values.packages, Number.POSITIVE_INFINITY), files);
      writeFileSync(written, String(bytes));
    }
    const bytes = Number(readFileSync(written, 'utf8'));
    for (const step of left.filter((name) => !isKnown(name))) {
      // What a first look has read would be found by the run of everything.
      if (step === 'all text') rmSync(join(folder, '.quarry'), { recursive: true, force: true });
      const result = { files, step, bytes, ...measured(step, folder, home) };
      results.push(result);
      if (file !== '') appendFileSync(file, `${JSON.stringify(result)}\n`);
    }
  }
  return results;
}

function measured(step: string, folder: string, home: string): Partial<Measured> & { failed?: string } {
  const words = ['--step', step, '--folder', folder, '--embedder', values.embedder];
  const flags = ['--no-wasm-tier-up', '--no-wasm-dynamic-tiering']; // As the command line does.
  const child = spawnSync(process.execPath, [...flags, fileURLToPath(import.meta.url), ...words], {
    encoding: 'utf8',
    timeout: Number(values.seconds) * 1000,
    env: {
      ...process.env,
      CI: 'true',
      QUARRY_CACHE_FOLDER: join(home, 'cache'),
      QUARRY_DATA_FOLDER: join(home, 'data'),
    },
  });
  if (child.status === 0) return JSON.parse(child.stdout.trim().split('\n').at(-1) ?? '{}');
  return { failed: child.error?.message ?? child.stderr.trim().split('\n').at(-1) ?? 'unknown' };
}

function print(results: readonly Result[]): void {
  console.log(
    '| files | MB | step | s | CPU s | ms for each file | peak MB | |\n|---|---|---|---|---|---|---|---|',
  );
  for (const { files, bytes, step, seconds, cpu, megabytes, failed, ...more } of results) {
    const notes = [
      ...(failed ? [failed] : []),
      ...(more.chunks ? [`${more.chunks} chunks`] : []),
      ...(more.p50 ? [`p50 ${more.p50.toFixed(0)} ms, p95 ${more.p95?.toFixed(0)} ms`] : []),
      ...(more.diskMegabytes ? [`index ${more.diskMegabytes.toFixed(0)} MB`] : []),
    ];
    const each = seconds === undefined ? '' : ((1000 * seconds) / files).toFixed(2);
    console.log(
      `| ${[files, (bytes / 1e6).toFixed(1), step, seconds?.toFixed(1), cpu?.toFixed(1), each, megabytes?.toFixed(0), notes.join(', ')].join(' | ')} |`,
    );
  }
}

function linesOf(results: readonly Result[]) {
  return Object.keys(steps).flatMap((name) => {
    const points = results.flatMap(({ step, files, seconds, p50 }) =>
      step === name && seconds !== undefined ? [[files, p50 ? p50 / 1000 : seconds] as const] : [],
    );
    return points.length > 0 ? [{ name, points }] : [];
  });
}
