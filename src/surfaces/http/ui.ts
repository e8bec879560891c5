import { resolve } from 'node:path';
import { z } from 'zod';
import { residentAddress } from '../../client/resident-address.ts';
import { ensureResident } from '../../client/start-resident.ts';
import { defineOperation } from '../../operations/operation.ts';
import { processEnvironment } from '../../platform/environment.ts';
import { resolveSettings } from '../../settings/config.ts';
import { findProjectFolder, requireFolder } from '../../state-folder/state-folder.ts';
import { openInBrowser } from './open-in-browser.ts';

/** Opens the page for a project, by a link that can be followed once. */
export const uiCommand = defineOperation({
  effect: 'writes',
  reach: 'machine',
  standsAlone: true,
  positionals: ['folder'],
  input: z.strictObject({
    folder: z.string().default('.').describe('The folder of the project.'),
    print: z.boolean().default(false).describe('Print the link instead of opening a browser.'),
  }),
  output: z.object({
    url: z.string().describe('The link: it can be followed once, within two minutes.'),
    opened: z.boolean().describe('Whether a browser was asked to open it.'),
  }),
  examples: [
    { input: {}, explains: 'open the page for this folder' },
    { input: { print: true }, explains: 'print the link, for a browser that cannot be started from here' },
  ],
  // biome-ignore lint/correctness/useYield: it emits nothing on its way.
  async *run(_, { folder, print }, { signal }) {
    await requireFolder(resolve(folder));
    const found = await findProjectFolder(resolve(folder));
    // Wrong settings are reported before anything is started.
    await resolveSettings({ folder: found, environment: processEnvironment });
    const { client } = await ensureResident(found, signal);
    const { id } = await client.openFolder(found);
    const { address, key } = (await client.request('POST', '/v1/engine/page', {}, signal)) as {
      address: string;
      key: string;
    };
    // Behind the hash: a browser sends that to no server, so it is in no log.
    const url = `${address}/#key=${key}&to=${encodeURIComponent(`/${id}/search`)}`;
    const { folder: privateFolder } = residentAddress(processEnvironment);
    return { url, opened: !print && (await openInBrowser(url, processEnvironment, privateFolder)) };
  },
});
