import { readCollection } from '../src/evaluation/collection.ts';
import type { Project } from '../src/index.ts';
import { processEnvironment, userCacheFolder } from '../src/platform/environment.ts';

/** A question with the grades of what is relevant to it, by document. */
export interface GradedQuestion {
  readonly id: string;
  readonly text: string;
  readonly relevant: ReadonlyMap<string, number>;
}

/** An indexed collection with its questions. */
export interface EvaluatedSet {
  readonly project: Project;
  /** The document that a file of the project holds. */
  nameOf(uri: string): string;
  readonly questions: readonly GradedQuestion[];
  close(): Promise<void>;
}

/** Opens and indexes a collection as `quarry eval` does, in the same kept folder: one project for each scope. */
export async function* openTextSets(
  folder: string,
  settings: Record<string, unknown>,
): AsyncGenerator<EvaluatedSet> {
  const { parts } = await readCollection(folder, { cacheFolder: userCacheFolder(processEnvironment) });
  for (const part of parts) {
    const { project, nameOf, close } = await part.open(settings);
    for await (const event of project.index())
      if (event.type === 'document-failed') console.error(event.uri, event.reason);
    const questions = part.questions.map(({ id, text, labels }) => ({
      id,
      text,
      relevant: new Map(labels.map(({ path, grade }) => [path, grade])),
    }));
    yield { project, nameOf, questions, close };
  }
}
