import { parentPort, workerData } from 'node:worker_threads';
import { messageOf } from '../../../../core/errors.ts';
import type { GraphAnswer, GraphProgress } from './builder.ts';
import { type GraphTask, growGraph } from './grow.ts';
import { loadUsearch } from './load-usearch.ts';

/** The thread that makes a graph: minutes of arithmetic that neither the event loop nor a search waits for. */
const task = workerData as GraphTask;
const makeIndex = loadUsearch();

function reply(answer: GraphAnswer | GraphProgress): void {
  parentPort?.postMessage(answer);
}

if (!makeIndex) {
  reply({ failure: 'the package usearch cannot be loaded' });
} else {
  growGraph(task, makeIndex, (vectors) => reply({ vectors })).then(
    (file) => reply({ file }),
    (thrown: unknown) => reply({ failure: messageOf(thrown) }),
  );
}
