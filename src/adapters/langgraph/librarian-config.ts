import { QuarryError } from '../../core/errors.ts';
import { type Environment, processEnvironment } from '../../platform/environment.ts';

/** How the librarian chooses; the model is the project's own (`embedder.model`, `AGENTOS_RAG_MODEL`). */
export interface LibrarianConfig {
  /** Least relevance of a document, 0 to 1. */
  readonly similarityThreshold: number;
  /** Passages that are looked at. */
  readonly topKCandidates: number;
  /** Documents that are handed on. */
  readonly topKResults: number;
}

export const librarianDefaults: LibrarianConfig = {
  similarityThreshold: 0.7,
  topKCandidates: 5,
  topKResults: 3,
};

const thresholdVariable = 'AGENTOS_RAG_THRESHOLD';

/** The configuration: what is given wins over the environment, which wins over the defaults. */
export function librarianConfig(
  given: Partial<LibrarianConfig> = {},
  environment: Environment = processEnvironment,
): LibrarianConfig {
  const written = environment(thresholdVariable);
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  return {
    ...librarianDefaults,
    ...(written !== undefined && { similarityThreshold: thresholdOf(written) }),
    ...known,
  };
}

function thresholdOf(written: string): number {
  const value = Number(written);
  if (written.trim() !== '' && value >= 0 && value <= 1) return value;
  throw new QuarryError(
    'config-invalid',
    `${thresholdVariable} is "${written}", which is not a number from 0 to 1.`,
    `Set ${thresholdVariable} to a number such as 0.7, or unset it.`,
  );
}
