import type { Operation } from './operation.ts';

/** What a token allows: to read or to change one project, or what all projects of its owner share. */
export type Scope = 'project:read' | 'project:write' | 'user:read' | 'user:write';

/** What a caller from elsewhere needs for an operation; undefined where it is never offered to one. */
export function scopeOf({ effect, reach }: Pick<Operation, 'effect' | 'reach'>): Scope | undefined {
  // A path in the input is one of the caller's machine to its writer, and would be one of this machine.
  if (reach === 'machine') return undefined;
  return `${reach}:${effect === 'reads' ? 'read' : 'write'}`;
}

/** Whether a person is asked before it begins. */
export function needsConfirmation({ effect }: Pick<Operation, 'effect'>): boolean {
  return effect === 'destroys';
}
