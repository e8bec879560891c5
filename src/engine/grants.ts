import type { Scope } from '../operations/permission.ts';
import { everyProject } from '../project/consent.ts';
import type { TokenRecord } from '../project/tokens.ts';

/** What a caller may do. */
export interface Grant {
  /** A name for logs. */
  readonly name: string;
  /** Whether it is the owner of the machine, who may do and see what is never offered to others. */
  readonly isOwner: boolean;
  allows(scope: Scope, project: string | undefined): boolean;
}

/** Everything: for the user of the machine, by whichever way that was shown. */
export function grantOfOwner(name: string): Grant {
  return { name, isOwner: true, allows: () => true };
}

/** What a token allows. */
export function grantOf({ name, project: allowed, access }: TokenRecord): Grant {
  return {
    name,
    isOwner: false,
    allows(scope, project) {
      const [reach, wanted] = scope.split(':');
      // Who holds a token must not be able to make others.
      if (reach === 'owner') return false;
      if (wanted === 'write' && access !== 'write') return false;
      if (allowed === everyProject) return true;
      // A token for one project has no say in what all projects share.
      return reach === 'project' && project === allowed;
    },
  };
}
