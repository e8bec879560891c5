import { join } from 'node:path';
import { trustsFileName } from '../user/trust-record.ts';

/** The name of the settings file, in a project and in the user's config folder. */
export const configFileName = 'quarry.toml';

/** The files that decide about the settings of a project; what the user agreed to decides which of them count. */
export function settingsFilesOf(folder: string, configFolder: string): string[] {
  return [
    join(folder, configFileName),
    join(configFolder, configFileName),
    join(configFolder, trustsFileName),
  ];
}
