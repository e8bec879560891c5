import type { Operation } from './operation.ts';

/** What a token allows: to read or change one project, or what all projects of a user share. */
export type Scope = 'project:read' | 'project:write' | 'user:read' | 'user:write';

/** The scope that a remote caller needs for an operation; undefined where it is never offered remotely. */
export function scopeOf({ effect, reach }: Pick<Operation, 'effect' | 'reach'>): Scope | undefined {
  // A remote caller means a path on its own machine; here it would name a file on this one.
  if (reach === 'machine') return undefined;
  return `${reach}:${effect === 'reads' ? 'read' : 'write'}`;
}

/** Whether the user must confirm the operation before it begins. */
export function needsConfirmation({ effect }: Pick<Operation, 'effect'>): boolean {
  return effect === 'destroys';
}
