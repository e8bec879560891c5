// Fits the curves of src/retrieval/calibration/curves.ts: from what is known of a hit to the likelihood that it is
// relevant. Half of the questions of each set are fitted on, the report is about the other half; a set that is left out
// of the fit completely shows how the curve does on texts that it has never seen.
//   npx node bench/calibration.ts observe FILE [--text] [--keep FOLDER] [--set KEY=VALUE …] FOLDER FOLDER …
//   npx node bench/calibration.ts fit FILE [FILE …]
//   npx node bench/calibration.ts check FILE
//   npx node bench/calibration.ts kinds [--text] [--sizes 1,5,50,5000] [--corpora N] [--set KEY=VALUE …] FOLDER …
// `observe` asks the questions and writes what it saw, `fit` prints tables and the curve to paste. Several files, of
// different embedders, are fitted together to the curve for embedders that have none of their own. `check` shows whether the
// shipped curve is still right after the ranking has changed. `kinds` builds corpora of every size from the files of folders, such as the packages of
// training/questions unpacked by their ids, and reports relevance by kind of query: words, names, copied texts, quoted errors, follow-ups, questions, off topic.
import { createReadStream, createWriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';
import { anyEmbedder, type Curve, curves, textAlone } from '../src/retrieval/calibration/curves.ts';
import { fitCurve, type Row, rowsOf, scaleOf } from './calibration/fit.ts';
import { type Asked, askKinds, kindsReport } from './calibration/kinds.ts';
import { type Observation, observe } from './calibration/observe.ts';
import { reportOf } from './calibration/report.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    text: { type: 'boolean', default: false },
    keep: { type: 'string', default: userCacheFolder(processEnvironment) },
    set: { type: 'string', multiple: true, default: [] },
    sizes: { type: 'string', default: '1,5,50,5000' },
    corpora: { type: 'string', default: '20' },
  },
});
const [command, ...files] = positionals;
if (command === 'observe') await writeObservations(files[0] ?? 'observations.jsonl', files.slice(1));
else if (command === 'fit' && files.length > 0) await fitFiles(files);
else if (command === 'check' && files.length === 1) await checkShipped(files[0] ?? '');
else if (command === 'kinds' && files.length > 0) await reportKinds(files);
else console.error('Say what to do: observe FILE FOLDER …, fit FILE …, check FILE, or kinds FOLDER …');

async function reportKinds(folders: readonly string[]): Promise<void> {
  const asked: Asked[] = [];
  const options = {
    settings: givenSettings(),
    cacheFolder: values.keep,
    textOnly: values.text,
    sizes: values.sizes.split(',').map(Number),
    corpora: Number(values.corpora),
  };
  for await (const one of askKinds(folders, options)) asked.push(one);
  console.log(kindsReport(asked));
}

function givenSettings(): Record<string, unknown> {
  return Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
}

async function writeObservations(file: string, folders: readonly string[]): Promise<void> {
  const settings = givenSettings();
  const out = createWriteStream(file);
  const options = { settings, textOnly: values.text, cacheFolder: values.keep };
  let before = '';
  for await (const observation of observe(folders, options)) {
    if (observation.set !== before) console.error(observation.set);
    before = observation.set;
    out.write(`${JSON.stringify(observation)}\n`);
  }
  out.end();
}

async function checkShipped(path: string): Promise<void> {
  const observed = await readObservations(path);
  const space = observed[0]?.space ?? '';
  const curve =
    space === '' ? textAlone : (curves.find(({ prefix }) => space.startsWith(prefix)) ?? anyEmbedder);
  const heldOut = rowsOf(observed, curve.scale).filter(({ isFitted }) => !isFitted);
  console.log(reportOf(`${space || 'text alone'}, as shipped`, heldOut, () => curve));
}

async function fitFiles(paths: readonly string[]): Promise<void> {
  const observed = await Promise.all(paths.map(readObservations));
  const isText = observed.every((own) => own.every(({ space }) => space === ''));
  const scale = paths.length === 1 && !isText ? scaleOf(observed[0] ?? []) : undefined;
  const all = observed.flat();
  const rows = rowsOf(all, scale);
  const curve = fitCurve(rows, scale);
  const heldOut = rows.filter(({ isFitted }) => !isFitted);
  console.log(`${JSON.stringify(curve).replaceAll('"', '')}\n`);
  console.log(reportOf('held-out halves', heldOut, () => curve));
  if (observed.length === 1)
    console.log(reportOf('sets left out of the fit', heldOut, curvesWithout(rows, scale)));
  else for (const own of observed) console.log(reportWithout(own, observed));
}

/** How an embedder does with the curve that is fitted on the others. */
function reportWithout(own: readonly Observation[], all: readonly (readonly Observation[])[]): string {
  const others = all.filter((other) => other !== own).flat();
  const curve = fitCurve(rowsOf(others, undefined), undefined);
  const heldOut = rowsOf(own, undefined).filter(({ isFitted }) => !isFitted);
  return reportOf(`${own[0]?.space} left out of the fit`, heldOut, () => curve);
}

function curvesWithout(rows: readonly Row[], scale: Curve['scale']): (set: string) => Curve {
  const sets = [...new Set(rows.map(({ set }) => set))];
  const fitted = new Map(
    sets.map(
      (set) =>
        [
          set,
          fitCurve(
            rows.filter((row) => row.set !== set),
            scale,
          ),
        ] as const,
    ),
  );
  return (set) => fitted.get(set) ?? fitCurve(rows, scale);
}

async function readObservations(file: string): Promise<Observation[]> {
  const lines: Observation[] = [];
  for await (const line of createInterface(createReadStream(file)))
    lines.push(JSON.parse(line) as Observation);
  return lines;
}
