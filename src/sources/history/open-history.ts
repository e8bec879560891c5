import type { ProjectHistory } from '../../calls/project.ts';
import { once } from '../../platform/once.ts';
import { allowedCommits } from './allowed-commits.ts';
import type { HistoryParts } from './project-history.ts';

/** The history of a project; what runs git is loaded when it is asked. */
export function createHistory(parts: HistoryParts): ProjectHistory {
  const load = once(async () => (await import('./project-history.ts')).createProjectHistory(parts));
  return {
    isAllowed: async () => (await allowedCommits(parts.folder, parts.settings, parts.environment)) > 0,
    allow: async (...given) => (await load()).allow(...given),
    lastCommits: async (...given) => (await load()).lastCommits(...given),
  };
}
