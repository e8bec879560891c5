import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { z } from 'zod';
import { QuarryError } from '../core/errors.ts';
import { idOfFolder } from '../core/identity.ts';

/** The name of a project in addresses: letters, digits, `.`, `_` and `-`. */
export const projectIdSchema = z
  .string()
  .regex(/^[a-z0-9][a-z0-9._-]{0,63}$/i, 'write 1 to 64 letters, digits, ".", "_" or "-"');

/** Fails for what is no name: it becomes the name of a folder. */
export function requireProjectId(id: string): void {
  const [issue] = projectIdSchema.safeParse(id).error?.issues ?? [];
  if (issue) throw new QuarryError('usage-invalid', `id: ${issue.message}.`, 'Choose another name.');
}

/** Where the files of a project can be. */
export const filePlaces = ['local', 'streamed', 'remote'] as const;

/** A project that an engine knows. */
export interface ProjectEntry {
  readonly id: string;
  readonly folder: string;
  /** Where its files are: in the folder itself, sent there by a client, or with a client that sends only an index. */
  readonly files: (typeof filePlaces)[number];
  /** Whether it stays known when the engine ends. */
  readonly isRegistered: boolean;
}

/** The entry of a folder that nobody has registered; the same folder always has the same id. */
export function entryOfFolder(folder: string): ProjectEntry {
  const real = realPath(resolve(folder));
  return { id: idOfFolder(real), folder: real, files: 'local', isRegistered: false };
}

function realPath(folder: string): string {
  try {
    return realpathSync(folder);
  } catch {
    // A folder that is not there yet is known by the name it was given.
    return folder;
  }
}

/** The error for a project that the engine does not know. */
export function projectUnknown(id: string): QuarryError {
  return new QuarryError(
    'project-not-found',
    `There is no project "${id}".`,
    'List the projects: GET /v1/projects.',
  );
}
