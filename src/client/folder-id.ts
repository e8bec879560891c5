import { createHash } from 'node:crypto';

/** The id of a project that nobody has registered, by the real path of its folder. */
export function idOfFolder(realFolder: string): string {
  return `folder-${createHash('sha256').update(realFolder).digest('hex').slice(0, 16)}`;
}
