import { createHash } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { QuarryError } from '../core/errors.ts';
import { processEnvironment } from '../platform/environment.ts';
import { writeDurably } from '../platform/write-durably.ts';
import { checkProjectFile } from './check-project-file.ts';
import { checkRoots } from './check-roots.ts';
import { resolveSettings } from './config.ts';
import { configFileName } from './config-file-name.ts';
import { editSettingsText, type SettingChanges } from './edit-settings-text.ts';
import { recipeOf } from './recipe.ts';
import type { Settings } from './settings.ts';
import { readSettingsFile, settingsFile } from './settings-file.ts';

/** What the next run does because of a change: list the files again, cut documents again, make vectors again. */
export const settingNeeds = ['scan', 'cut', 'embed'] as const;
export type SettingNeed = (typeof settingNeeds)[number];

/** A change of a project's settings file, written or not. */
export interface SettingsChange {
  readonly before: string;
  readonly after: string;
  /** Names the text of the file after it. */
  readonly revision: string;
  readonly needs: readonly SettingNeed[];
  /** Settings that lower protection and do not count until the user agrees to them. */
  readonly untrusted: readonly string[];
  /** What became of settings that the file has as the version before had them. */
  readonly retired: readonly string[];
}

/** How a change is made. */
export interface ChangeOptions {
  /** Only look at what would be written. */
  readonly preview: boolean;
  /** The revision of the file that the change was made for; another one is `settings-conflict`. */
  readonly revision?: string | undefined;
}

/** The text of a project's settings file; empty where there is none. */
export async function readSettingsText(folder: string): Promise<string> {
  return (await readSettingsFile(folder)) ?? '';
}

/** Names a text of a settings file. */
export function revisionOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Changes the settings file of a project, after the result was found to be valid. */
export async function changeSettings(
  folder: string,
  current: Settings,
  changes: SettingChanges,
  { preview, revision }: ChangeOptions,
): Promise<SettingsChange> {
  const before = await readSettingsText(folder);
  if (revision !== undefined && revision !== revisionOf(before)) throw conflict();
  const after = editSettingsText(before, changes);
  const resolved = await resolveSettings({ folder, environment: processEnvironment, projectText: after });
  checkProjectFile(resolved);
  await checkRoots(folder, resolved);
  if (!preview && after !== before) {
    if ((await readSettingsText(folder)) !== before) throw conflict();
    await writeDurably(await settingsFile(folder), after);
  }
  return {
    before,
    after,
    revision: revisionOf(after),
    needs: needsOf(current, resolved.settings),
    untrusted: resolved.untrusted,
    retired: resolved.retired,
  };
}

function needsOf(before: Settings, after: Settings): SettingNeed[] {
  const differs = (part: (settings: Settings) => unknown): boolean =>
    !isDeepStrictEqual(part(before), part(after));
  return [
    ...(differs(({ index }) => index) ? (['scan'] as const) : []),
    ...(differs(recipeOf) ? (['cut'] as const) : []),
    ...(differs(({ embedder, embedders }) => ({ embedder, embedders })) ? (['embed'] as const) : []),
  ];
}

function conflict(): QuarryError {
  return new QuarryError(
    'settings-conflict',
    `${configFileName} has changed since it was read.`,
    'Look at it again, and repeat the change; nothing was written.',
  );
}
