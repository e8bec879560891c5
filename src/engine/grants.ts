import type { Scope } from '../operations/permission.ts';
import { everyProject } from '../user/consent.ts';
import type { TokenRecord } from '../user/tokens.ts';
import type { Job } from './jobs.ts';

/** What a caller may do. */
export interface Grant {
  /** A name for logs. */
  readonly name: string;
  /** Whether it is the owner of the machine, who may do and see what is never offered to others. */
  readonly isOwner: boolean;
  allows(scope: Scope, project: string | undefined): boolean;
  /** By what the caller was let in; absent where nothing can end that. */
  readonly credential?: Credential;
}

/** A token or a session, which may end while a request of it is under way. */
export interface Credential {
  /** Names it, the same for each request. */
  readonly id: string;
  /** Whether it is neither revoked nor ended. */
  holds(): Promise<boolean>;
  /** Ends it; absent where its caller cannot. */
  end?(): void;
}

/** Whether a caller may look at a job, or change it: as with what the job does. */
export function allowsJob(
  { allows }: Pick<Grant, 'allows'>,
  { reach, project }: Pick<Job, 'reach' | 'project'>,
  access: 'read' | 'write',
): boolean {
  return reach !== 'machine' && allows(`${reach}:${access}`, project);
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
      // What all projects share is the owner's, unless a token was made for that.
      if (reach === 'user') return access === 'admin';
      if (wanted === 'write' && access === 'read') return false;
      return allowed === everyProject || (project !== undefined && allowed.split(',').includes(project));
    },
  };
}
