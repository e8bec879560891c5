/*
 * All that needs the browser, in one process and one after the other. A browser takes seconds of each core until it has what
 * the page needs compiled, and so do the server and axe: here each of them does so once in a run. Outside of CI a run has
 * every other suite; `CI=true npx vitest run test/page` has all.
 */
import { sample } from '../samples.ts';

// Two neighbours take about the same time.
const suites = [
  () => import('./page-suite.ts'),
  () => import('./upkeep-suite.ts'),
  () => import('./entering-suite.ts'),
  () => import('./everyday-suite.ts'),
  () => import('./one-box-suite.ts'),
  () => import('./counted-suite.ts'),
  () => import('./kinds-suite.ts'),
  () => import('./remembers-suite.ts'),
  () => import('./adding-suite.ts'),
  () => import('./pictures-suite.ts'),
  () => import('./switching-suite.ts'),
  () => import('./map-suite.ts'),
  () => import('./several-suite.ts'),
  () => import('./history-suite.ts'),
  () => import('./in-sight-suite.ts'),
  () => import('./hostile-suite.ts'),
];

for (const load of sample(2, suites)) await load();
