import { addModel } from './add-model.ts';
import { tinyModel } from './tiny-model.fixture.ts';

/** Adds the tiny model from a program of its own; with `stop` it halts in the middle, to be killed there. */
const [cacheFolder = '', from = '', stop] = process.argv.slice(2);
const { origin } = await addModel({
  name: tinyModel.card.name,
  cacheFolder,
  from,
  catalogue: [tinyModel],
  onProgress() {
    if (stop === undefined) return;
    process.stdout.write('halfway\n');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  },
});
process.stdout.write(`${origin}\n`);
