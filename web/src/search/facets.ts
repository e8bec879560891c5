import { nameOf, wholeName } from '../../../src/core/documents/people.ts';
import type { SearchHit } from '../../../src/operations/find/hit-as-data.ts';
import type { Question } from './questions.ts';

/** A value that hits have in common, with how many have it. */
export interface FacetValue {
  readonly value: string;
  readonly name: string;
  readonly count: number;
}

/** What hits can be narrowed down by. */
export interface Facet {
  readonly filter: keyof Question;
  readonly name: string;
  readonly values: readonly FacetValue[];
}

type Counted = Pick<SearchHit, 'path' | 'type' | 'language' | 'written_at' | 'authors' | 'tags' | 'project'>;

/** Ages, each within the next; today begins with the day, as the filter has it. */
const ages = [
  ['today', 'today', 0],
  ['7d', 'last 7 days', 7],
  ['30d', 'last 30 days', 30],
  ['1y', 'last year', 365],
] as const;
const day = 86_400_000;
/** Values that are shown of each, and those that a reader gets who wants more. */
export const maxValues = 6;
const allValues = 24;

/** What hits have in common, the most frequent first; what all of them share narrows nothing down and is left out. */
export function facetsOf(hits: readonly Counted[], now = Date.now()): Facet[] {
  const folders = hits.map(({ path }) => path.split('/').slice(0, -1));
  const depth = sharedDepth(folders);
  const facets: Facet[] = [
    { filter: 'projects', name: 'Project', values: counted(hits.map(({ project = '' }) => project)) },
    { filter: 'type', name: 'Kind', values: counted(hits.map(({ type }) => type)) },
    {
      filter: 'in',
      name: 'Folder',
      values: counted(folders.map((parts) => parts.slice(0, depth + 1).join('/'))),
    },
    { filter: 'language', name: 'Language', values: counted(hits.map(({ language }) => language ?? '')) },
    {
      filter: 'author',
      name: 'By',
      values: peopleOf(hits.map(({ authors = [] }) => authors)),
    },
    { filter: 'tag', name: 'Tag', values: counted(hits.flatMap(({ tags = [] }) => [...new Set(tags)])) },
    { filter: 'since', name: 'Time', values: agesOf(hits, now) },
  ];
  return facets
    .map((facet) => ({
      ...facet,
      values: facet.values.filter(({ count }) => count < hits.length).slice(0, allValues),
    }))
    .filter(({ values }) => values.length > 0);
}

/** How many folders all paths begin with. */
function sharedDepth(folders: readonly (readonly string[])[]): number {
  const [first = []] = folders;
  const differs = first.findIndex((part, at) => folders.some((parts) => parts[at] !== part));
  return differs === -1 ? first.length : differs;
}

function counted(values: readonly string[]): FacetValue[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, name: value, count }))
    .sort((one, other) => other.count - one.count || (one.value < other.value ? -1 : 1));
}

/** People by their names, under whatever addresses they write; who gives none by the address. */
function peopleOf(writers: readonly (readonly string[])[]): FacetValue[] {
  const known = [...new Set(writers.flat())];
  const holds = (author: string, name: string): boolean => author.toLowerCase().includes(name.toLowerCase());
  return counted(writers.flatMap((own) => [...new Set(own.map(nameOf))])).map((person) => {
    const isOfOthers = known.some((author) => nameOf(author) !== person.name && holds(author, person.name));
    // A part of a name is enough for the filter: "Bo" is also in "Bob".
    return { ...person, value: isOfOthers ? wholeName(person.name) : person.name };
  });
}

function agesOf(hits: readonly Counted[], now: number): FacetValue[] {
  const today = new Date(now).setHours(0, 0, 0, 0);
  const values = ages.map(([value, name, days]) => {
    const since = days === 0 ? today : now - days * day;
    return {
      value,
      name,
      count: hits.filter(({ written_at }) => Date.parse(written_at ?? '') >= since).length,
    };
  });
  // An age that adds nothing to the one before says nothing.
  return values.filter(({ count }, index) => count > (values[index - 1]?.count ?? 0));
}
