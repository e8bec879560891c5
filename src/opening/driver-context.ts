import type { DriverContext } from '../contracts/driver.ts';
import { QuarryError } from '../core/errors.ts';
import { type Environment, userCacheFolder, userConfigFolder } from '../platform/environment.ts';
import { type ListeningUser, userListeningAt, userOfSocket } from '../platform/listening-user.ts';
import { once } from '../platform/once.ts';
import { ownKey } from '../platform/own-key.ts';
import type { SettingLayer, SettingOrigin } from '../settings/config.ts';
import { driverResources } from '../settings/resources.ts';
import type { Settings } from '../settings/settings.ts';
import { ensureStateFolder, stateFolderOf } from '../state-folder/state-folder.ts';
import { isAgreed, isLoopback, names, originOf, parseAddress, readConsents } from '../user/consent.ts';

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

/** The context of a project's drivers: keys from the environment, and no address without consent but those of the user's own processes. */
export function createDriverContext(options: ContextOptions): DriverContext {
  const { folder, stateFolder, environment, resources, addressLayer, consent } = options;
  return {
    stateFolder,
    environment,
    resources,
    cacheFolder: userCacheFolder(environment),
    ownKey: async () => (await ownKey(environment)).key,
    async requireConsent(address, socket) {
      // What came with a folder must be agreed to, whatever answers there.
      const asksSystem = isLoopback(address) && addressLayer !== 'project';
      const listening = asksSystem ? await userAnswering(address, socket) : 'unknown';
      if (listening === 'own') return;
      if (consent.some((agreed) => names({ address: originOf(parseAddress(agreed)) }, address))) return;
      if (isAgreed(await readConsents(userConfigFolder(environment)), folder, address)) return;
      if (listening === 'none') throw nobodyAnswers(address);
      throw notAgreed(folder, address, asksSystem ? listening : undefined);
    },
  };
}

/** Whose process answers at an address of this machine. */
function userAnswering({ port, protocol }: URL, socket: string | undefined): Promise<ListeningUser> {
  if (socket !== undefined) return userOfSocket(socket);
  return userListeningAt(port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port));
}

/** The error where nothing listens: to connect all the same would serve who begins to listen in that moment. */
function nobodyAnswers(address: URL): QuarryError {
  return new QuarryError(
    'provider-unreachable',
    `Nothing answers at ${address.host}, as far as this machine knows.`,
    `Start the server, or correct its address. If it does answer: quarry consent give ${originOf(address)}`,
    { cause: 'no process listens' },
  );
}

function notAgreed(folder: string, address: URL, listening: ListeningUser | undefined): QuarryError {
  const origin = originOf(address);
  const whose = {
    other: ' A process of another user answers there.',
    unknown: ' It is not known whose process answers there.',
  };
  const why = listening === 'other' || listening === 'unknown' ? whose[listening] : '';
  return new QuarryError(
    'consent-missing',
    `The text of ${folder} would be sent to ${origin}, and you have not agreed to that.${why}`,
    `Run: quarry consent give ${origin}`,
  );
}

/** What the contexts of a project are made from. */
export interface ContextsParts extends Pick<ContextOptions, 'folder' | 'environment' | 'consent'> {
  readonly settings: Settings;
  /** Which layer decided each setting. */
  readonly origins: ReadonlyMap<string, SettingOrigin>;
}

/** The contexts of a project's drivers, each made once, when it is first asked for. */
export function createDriverContexts({ folder, environment, consent, settings, origins }: ContextsParts) {
  const context = (addressLayer: SettingLayer, stateFolder: () => string | Promise<string>) =>
    once(async () =>
      createDriverContext({
        folder,
        stateFolder: await stateFolder(),
        environment,
        resources: driverResources(settings),
        addressLayer,
        consent,
      }),
    );
  // These keep nothing in the folder: to look at one leaves no trace there.
  const withoutTrace = (layer: SettingLayer) => context(layer, () => stateFolderOf(folder));
  return {
    store: context(layerOf(origins, /^store\.(driver|url)$/), () => ensureStateFolder(folder)),
    outside: withoutTrace(layerOf(origins, /^store\.(driver|mcp\.server)$/)),
    embedder: withoutTrace(layerOf(origins, /^embedder\.(driver|url)$|^embedders\./)),
    /** An embedder that the index knows and the settings no longer name. */
    previousEmbedder: withoutTrace('project'),
    reranker: withoutTrace(layerOf(origins, /^reranker\.(driver|url)$/)),
    generator: withoutTrace(layerOf(origins, /^generator\.(driver|url)$/)),
  };
}

/** The most cautious layer that has a say in where text is sent: one of those settings. */
export function layerOf(origins: ReadonlyMap<string, SettingOrigin>, settings: RegExp): SettingLayer {
  const deciding = [...origins].filter(([key]) => settings.test(key));
  return deciding.some(([, { layer }]) => layer === 'project') ? 'project' : 'flag';
}
