import { signal } from '@preact/signals';
import type { ErrorData } from '../../../src/core/errors.ts';
import { asking } from './session.ts';

/** A project as the server lists it. */
export interface ListedProject {
  readonly id: string;
  /** What hits and citations call it. */
  readonly name: string;
  readonly files: 'folder' | 'streamed';
  readonly registered: boolean;
  readonly open: boolean;
  readonly syncing?: boolean;
  readonly users?: number;
  /** Only the owner sees it. */
  readonly folder?: string;
  readonly failure?: ErrorData;
}

/** The index of a project that is not open: what its files tell without opening it. */
export interface IndexOnDisk {
  readonly bytes: number;
  readonly written_at: string;
}

/** Size and age of the index of a project that is closed; undefined where there is none here. */
export async function closedIndex(id: string): Promise<IndexOnDisk | undefined> {
  const path = `/v1/projects/${encodeURIComponent(id)}`;
  return ((await asking((client) => client.request('GET', path))) as { index?: IndexOnDisk }).index;
}

/** All projects that the reader of the page may see; undefined until the server has said. */
export const projects = signal<readonly ListedProject[] | undefined>(undefined);

/** Asks for the projects again. */
export async function loadProjects(): Promise<void> {
  projects.value = await listProjects();
}

/** The projects as they are now, without a word to the views. */
export async function listProjects(): Promise<readonly ListedProject[]> {
  const answer = (await asking((client) => client.request('GET', '/v1/projects'))) as {
    projects: ListedProject[];
  };
  return answer.projects;
}

/** A name for a person: the last part of its folder, where that is known. */
export function nameOf({ id, folder, registered }: ListedProject): string {
  if (registered || folder === undefined) return id;
  return folder.split(/[\\/]/).findLast((part) => part !== '') ?? id;
}

/** What addresses call a project: its name, where it is the only one of that name and no other's id. */
export function addressName(id: string): string {
  const known = projects.value ?? [];
  const own = known.find((project) => project.id === id);
  const name = own ? nameOf(own) : id;
  const isTaken = known.some((other) => other.id !== id && (other.id === name || nameOf(other) === name));
  return isTaken ? id : name;
}

/** The id of the project that an address names, be it by its id or its name. */
export function idNamed(name: string): string {
  const known = projects.value ?? [];
  if (known.some(({ id }) => id === name)) return name;
  return known.find((project) => addressName(project.id) === name)?.id ?? name;
}
