import { join } from 'node:path';
import type { LeaseRecord } from '../../contracts/leases.ts';
import type { Store } from '../../contracts/store.ts';
import { servedLease } from '../../drivers/stores/leases.ts';
import { createDriverContext } from '../../opening/driver-context.ts';
import { openStore } from '../../opening/open-driver.ts';
import type { Environment } from '../../platform/environment.ts';
import { driverResources } from '../../settings/resources.ts';
import { settingsSchema } from '../../settings/settings.ts';
import { indexFolder } from '../../state-folder/index-folders.ts';
import { ensureStateFolder } from '../../state-folder/state-folder.ts';

/** The lease of this name for clients that write the indexes of a project: this process keeps it for them. */
export async function clientLease(folder: string, name: string): Promise<LeaseRecord> {
  return servedLease(join(await ensureStateFolder(folder), `client-${name}.json`));
}

/** Opens an index that a client of this machine writes, and makes it where it is absent. Its file is always SQLite's. */
export async function openClientIndex(
  folder: string,
  name: string,
  environment: Environment,
): Promise<Store> {
  const settings = settingsSchema.parse({});
  const context = createDriverContext({
    folder,
    stateFolder: await indexFolder(await ensureStateFolder(folder), name),
    environment,
    resources: driverResources(settings),
    addressLayer: 'flag',
    consent: [],
  });
  return openStore(settings, context);
}
