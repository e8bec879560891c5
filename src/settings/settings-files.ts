import { join } from 'node:path';
import { trustsFileName } from '../user/trust-record.ts';
import { configFileName } from './config-file-name.ts';

/** The files that decide about the settings of a project; what the user agreed to decides which of them count. */
export function settingsFilesOf(folder: string, configFolder: string): string[] {
  return [
    join(folder, configFileName),
    join(configFolder, configFileName),
    join(configFolder, trustsFileName),
  ];
}
