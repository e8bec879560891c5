import { QuarryError } from '../../../../core/errors.ts';
import { serveCalls } from '../../../../platform/threads/serve-calls.ts';
import type { GraphFile } from './file.ts';
import { type GraphTask, growGraph } from './grow.ts';
import { loadUsearch } from './load-usearch.ts';

/** The thread that makes a graph: minutes of arithmetic that neither the event loop nor a search waits for. */
serveCalls<GraphTask, GraphFile | undefined, number>(async (task, { report }) => {
  const makeIndex = loadUsearch();
  if (!makeIndex) {
    throw new QuarryError(
      'requirement-missing',
      'the package usearch cannot be loaded',
      'Run: npm install usearch',
    );
  }
  return { value: await growGraph(task, makeIndex, report) };
});
