import { createRequire } from 'node:module';
import type * as Lance from '@lancedb/lancedb';
import type * as Arrow from 'apache-arrow';
import { setVariable } from '../../../platform/environment.ts';
import { importOptional } from '../../../platform/import-optional.ts';

/** The package that a user installs. */
export const packageName = '@lancedb/lancedb';

/** LanceDB and the form in which it takes rows. */
export interface LancePackage {
  readonly lance: typeof Lance;
  readonly arrow: typeof Arrow;
}

/** Loads the package where it is installed. */
export function loadLance(): Promise<LancePackage> {
  // With fewer threads the building of a text index waits for itself for ever on two cores.
  setVariable('LANCE_CPU_THREADS', '4');
  return importOptional(
    packageName,
    'The store lancedb',
    async () => {
      const lance = (await import(packageName)) as typeof Lance;
      // The very copy that LanceDB has: it knows the classes of no other.
      const require = createRequire(createRequire(import.meta.url).resolve(packageName));
      return { lance, arrow: require('apache-arrow') as typeof Arrow };
    },
    `npm install ${packageName}@0.31.0`,
  );
}
