import { stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { QuarryError } from '../core/errors.ts';
import type { Project } from '../project/project.ts';
import { readCollection } from './collection.ts';
import type { EvaluationSet, SetOptions } from './evaluation-set.ts';
import { readOwnQuestions } from './own-project.ts';
import { readPackageQuestions } from './packages.ts';
import type { GivenSettings } from './work-folder.ts';

/**
 * Reads what the user named: a file of labelled questions about the project, a folder with a collection, or a folder
 * with questions about npm packages.
 */
export async function openSets(
  places: readonly string[],
  project: Project,
  given: GivenSettings,
  options: SetOptions,
): Promise<EvaluationSet[]> {
  const sets: EvaluationSet[] = [];
  for (const place of places) {
    const set = await openSet(resolve(place), project, given, options);
    if (set.parts.length === 0) throw nothingToAsk(place, set);
    sets.push({ ...set, name: freeName(set.name, new Set(sets.map(({ name }) => name))) });
  }
  return sets;
}

async function openSet(
  place: string,
  project: Project,
  given: GivenSettings,
  options: SetOptions,
): Promise<EvaluationSet> {
  if (await isFile(place)) return readOwnQuestions(place, project, given, options);
  if (await isFile(join(place, 'corpus.jsonl'))) return readCollection(place, options);
  if (await isFile(join(place, 'queries.jsonl'))) return readPackageQuestions(place, options);
  throw new QuarryError(
    'file-unreadable',
    `${place} is no set of questions.`,
    'Name a file of labelled questions, or a folder with queries.jsonl, corpus.jsonl and qrels.tsv.',
  );
}

/** Sets are told apart by name; a second one of the same name gets a number. */
function freeName(name: string, taken: ReadonlySet<string>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
  return free;
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

function nothingToAsk(place: string, { unjudged }: EvaluationSet): QuarryError {
  return new QuarryError(
    'usage-invalid',
    `${place} has no question to ask${unjudged > 0 ? `: none of ${unjudged} has a label` : ''}.`,
    'Say for at least one question what is relevant to it.',
  );
}
