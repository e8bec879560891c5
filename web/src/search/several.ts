import { inProject, splitProject } from '../../../src/core/project-names.ts';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import { type InputOf, perform, type ResultOf } from '../api/operations.ts';
import { projects } from '../api/projects.ts';
import { inputFor, type Question } from './questions.ts';

/** Where a question goes: to the project that is shown, to those that it names, or to all. */
export function askedOf(project: string, { projects: named }: Question): string {
  return named === '' ? project : named;
}

/** The project of a name that hits and citations have. */
export function projectNamed(name: string): string {
  return projects.value?.find((known) => known.name === name)?.id ?? name;
}

/** The project of a citation that begins with the name of one, and the rest of it; what has none is of the project that is shown. */
export function ownPlace(project: string, citation: string): { project: string; citation: string } {
  const named = splitProject(
    citation,
    (name) => projects.value?.some((known) => known.name === name) ?? false,
  );
  return named ? { project: projectNamed(named.name), citation: named.rest } : { project, citation };
}

/** How a hit is cited: of another project with its name. */
export function citedAs({ project, citation }: Pick<SearchHit, 'project' | 'citation'>): string {
  return project === undefined ? citation : inProject(project, citation);
}

/** How a place is cited in the project that is shown. */
export function citedIn(shown: string | undefined, project: string, citation: string): string {
  const name = projects.value?.find(({ id }) => id === project)?.name;
  return project === shown || name === undefined ? citation : inProject(name, citation);
}

/** Searches where the question goes to. Hits of several projects are named as in their own one, and say which that is. */
export async function searchFor(
  project: string,
  asked: Question,
  change: Partial<InputOf<'search'>> = {},
  options: Parameters<typeof perform>[3] = {},
): Promise<ResultOf<'search'>> {
  const result = await perform(askedOf(project, asked), 'search', { ...inputFor(asked), ...change }, options);
  return asked.projects === '' ? result : { ...result, hits: result.hits.map((hit) => ofOwn(hit, asked)) };
}

function ofOwn(hit: SearchHit, { projects: named }: Question): SearchHit {
  // A server that is asked one project alone does not name it.
  if (hit.project === undefined) return { ...hit, project: named };
  const name = hit.project;
  const own = (text: string): string => (text.startsWith(`${name}:`) ? text.slice(name.length + 1) : text);
  return {
    ...hit,
    path: own(hit.path),
    citation: own(hit.citation),
    ...(hit.more && { more: hit.more.map((each) => ({ ...each, citation: own(each.citation) })) }),
  };
}
