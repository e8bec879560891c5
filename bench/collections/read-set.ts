import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import type { EvaluationSet } from '../../src/evaluation/evaluation-set.ts';
import { type CollectionOptions, readCollection } from './collection.ts';
import { readPackageQuestions } from './packages.ts';
import { isRepositories, readRepositories } from './repositories.ts';
import { isWritten, readWrittenQuestions } from './written-questions.ts';

/** Reads a folder with a collection of texts, or with questions about npm packages where it has no corpus, our own questions, or those about repositories. */
export async function readSet(name: string, options: CollectionOptions): Promise<EvaluationSet> {
  if (isWritten(name)) return readWrittenQuestions(name, options);
  if (isRepositories(name)) return readRepositories(name, options);
  const folder = resolve(name);
  const corpus = await stat(join(folder, 'corpus.jsonl')).catch(() => undefined);
  return corpus ? readCollection(folder, options) : readPackageQuestions(folder, options);
}
