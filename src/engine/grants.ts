import type { Scope } from '../operations/permission.ts';
import { everyProject } from '../project/consent.ts';
import type { TokenRecord } from '../project/tokens.ts';

/** What a caller may do. */
export interface Grant {
  /** A name for logs. */
  readonly name: string;
  allows(scope: Scope, project: string | undefined): boolean;
}

/** What a token allows. */
export function grantOf({ name, project: allowed, access }: TokenRecord): Grant {
  return {
    name,
    allows(scope, project) {
      const [reach, wanted] = scope.split(':');
      if (wanted === 'write' && access !== 'write') return false;
      if (allowed === everyProject) return true;
      // A token for one project has no say in what all projects share.
      return reach === 'project' && project === allowed;
    },
  };
}
