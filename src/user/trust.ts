import { QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import { recordOfTrusts } from './trust-record.ts';

/** Commands that the file of a project would run. */
export interface ProjectCommands {
  readonly commands: readonly string[];
  /** Whether the user has agreed to run exactly these. */
  readonly isTrusted: boolean;
}

/** What the project would run, and whether the user agreed to it as it is now. */
export async function trustOf(
  configFolder: string,
  project: string,
  commands: readonly string[],
): Promise<ProjectCommands> {
  const trusts = await recordOfTrusts(configFolder).read();
  const fingerprint = fingerprintOf(commands);
  return {
    commands,
    isTrusted: trusts.some((trust) => trust.project === project && trust.fingerprint === fingerprint),
  };
}

/** Fails with `trust-missing` unless the user agreed to run exactly these commands. */
export async function requireTrust(
  configFolder: string,
  project: string,
  commands: readonly string[],
): Promise<void> {
  if (commands.length === 0 || (await trustOf(configFolder, project, commands)).isTrusted) return;
  throw new QuarryError(
    'trust-missing',
    `The settings of ${project} would run a command, and you have not agreed to that: ${commands.join('; ')}.`,
    'Look at it, then run: quarry trust',
  );
}

/** Agrees to run these commands for a project, and to these settings of its file; a previous agreement to others ends. */
export async function giveTrust(
  configFolder: string,
  project: string,
  commands: readonly string[],
  settings: readonly string[] = [],
  signal?: AbortSignal,
): Promise<void> {
  const given = {
    project,
    fingerprint: fingerprintOf(commands),
    ...(settings.length > 0 && { settings: [...settings] }),
    givenAt: new Date().toISOString(),
  };
  await recordOfTrusts(configFolder).change(
    (trusts) => [...trusts.filter((trust) => trust.project !== project), given],
    signal,
  );
}

/** Ends the agreement for a project; returns whether there was one. */
export async function withdrawTrust(
  configFolder: string,
  project: string,
  signal?: AbortSignal,
): Promise<boolean> {
  let was = false;
  await recordOfTrusts(configFolder).change((trusts) => {
    was = trusts.some((trust) => trust.project === project);
    return was ? trusts.filter((trust) => trust.project !== project) : trusts;
  }, signal);
  return was;
}

function fingerprintOf(commands: readonly string[]): string {
  return sha256(JSON.stringify(commands));
}
