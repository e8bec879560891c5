import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { EvaluationSet } from '../../src/evaluation/evaluation-set.ts';
import { type CollectionOptions, readCollection } from './collection.ts';
import { readPackageQuestions } from './packages.ts';

/** Reads a folder with a collection of texts, or with questions about npm packages where it has no corpus. */
export async function readSet(folder: string, options: CollectionOptions): Promise<EvaluationSet> {
  const corpus = await stat(join(folder, 'corpus.jsonl')).catch(() => undefined);
  return corpus ? readCollection(folder, options) : readPackageQuestions(folder, options);
}
