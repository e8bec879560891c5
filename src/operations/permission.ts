import type { Operation } from './operation.ts';

/**
 * What a caller may be allowed: to read or change one project, what all projects of a user share, or what the owner
 * decides. The second is allowed only to tokens that were made for administration, the last to no token.
 */
export type Scope = `${'project' | 'user' | 'owner'}:${'read' | 'write'}`;

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
