import type { DriverContext } from '../contracts/driver.ts';
import { QuarryError } from '../core/errors.ts';
import { type Environment, userCacheFolder, userConfigFolder } from '../platform/environment.ts';
import { ownKey } from '../platform/own-key.ts';
import { isAgreed, isLoopback, parseAddress, readConsents } from './consent.ts';
import type { SettingLayer, SettingOrigin } from './settings/config.ts';

/** What the drivers of a project are opened with. */
export interface ContextOptions {
  readonly folder: string;
  readonly stateFolder: string;
  readonly environment: Environment;
  readonly resources: NonNullable<DriverContext['resources']>;
  /** Where the setting comes from that names the address. */
  readonly addressLayer: SettingLayer;
  /** Addresses that the calling program's user has agreed to. */
  readonly consent: readonly string[];
}

/** The context of a project's drivers: keys from the environment, and no address without consent. */
export function createDriverContext(options: ContextOptions): DriverContext {
  const { folder, stateFolder, environment, resources, addressLayer, consent } = options;
  return {
    stateFolder,
    environment,
    resources,
    cacheFolder: userCacheFolder(environment),
    ownKey: async () => (await ownKey(environment)).key,
    async requireConsent(address) {
      // What a user points at this machine stays on it; what came with a folder must be agreed to even then.
      if (isLoopback(address) && addressLayer !== 'project') return;
      if (consent.some((agreed) => parseAddress(agreed).origin === address.origin)) return;
      if (isAgreed(await readConsents(userConfigFolder(environment)), folder, address)) return;
      throw new QuarryError(
        'consent-missing',
        `The text of ${folder} would be sent to ${address.origin}, and you have not agreed to that.`,
        `Run: quarry consent give ${address.origin}`,
      );
    },
  };
}

/** The most cautious layer that has a say in where text is sent: one of those settings. */
export function layerOf(origins: ReadonlyMap<string, SettingOrigin>, settings: RegExp): SettingLayer {
  const deciding = [...origins].filter(([key]) => settings.test(key));
  return deciding.some(([, { layer }]) => layer === 'project') ? 'project' : 'flag';
}
