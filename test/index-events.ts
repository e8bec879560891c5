import type { Project } from '../src/calls/project.ts';
import type { IndexEvent } from '../src/core/events.ts';

/** Brings the index of a project up to date and keeps every event. */
export async function indexEvents(project: Project): Promise<IndexEvent[]> {
  const events: IndexEvent[] = [];
  for await (const event of project.index()) events.push(event);
  return events;
}

/** The event that tells of missing vectors; undefined where none are missing. */
export function failure(events: readonly IndexEvent[]): IndexEvent | undefined {
  return events.find(({ type }) => type === 'vectors-failed');
}
