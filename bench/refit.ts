// Fits what ranking makes of a space of vectors: the share of vectors in the fused score, and what the reranker says. A space is compared
// with another one fairly only where both have the shares that suit them.
//   npx node bench/refit.ts keep FOLDER [--space NAME] [--set KEY=VALUE …] SET …
//   npx node bench/refit.ts fit FOLDER SPACE … [--fitted SET,…] [--judged SET,…] [--every N]
// `keep` indexes the sets, asks every question and keeps the candidates of both searchers with their scores, and what the reranker says of each:
// with `--space` those of the embedder and reranker that the settings name, without it what words alone find, and every chunk's text, for vectors that are made elsewhere.
// `fit` orders the kept candidates again with each setting, chooses on half of the questions of each set, and compares every space with the first one on the
// other half, question by question. Sets after `--fitted` only choose, sets after `--judged` only judge.
import { mkdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';
import { readSet } from './collections/read-set.ts';
import { fitSpaces } from './refit/fit.ts';
import { keepSet } from './refit/keep.ts';

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    space: { type: 'string' },
    fitted: { type: 'string', default: 'questions/train' },
    judged: { type: 'string', default: 'questions/held-out,repositories' },
    every: { type: 'string', default: '2' },
    set: { type: 'string', multiple: true, default: [] },
  },
});
const [command, folder, ...rest] = positionals;
if (command === 'keep' && folder && rest.length > 0) {
  mkdirSync(folder, { recursive: true });
  const settings = Object.fromEntries(values.set.map((pair) => pair.split(/=(.*)/s).slice(0, 2)));
  for (const name of rest) {
    const set = await readSet(name, { cacheFolder: userCacheFolder(processEnvironment) });
    await keepSet(set, { settings, folder, space: values.space });
  }
} else if (command === 'fit' && folder && rest.length > 0) {
  const [fitted, judged] = [values.fitted.split(','), values.judged.split(',')];
  for (const text of fitSpaces(folder, rest, { fitted, judged, every: Number(values.every) }))
    console.log(`${text}\n`);
} else console.error('Say what to do: keep FOLDER SET …, or fit FOLDER SPACE');
