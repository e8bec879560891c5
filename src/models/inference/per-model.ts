import { once } from '../../platform/once.ts';
import type { InstalledModel } from '../model-card.ts';

/** Loads each model at its first use, once; a load that failed is not remembered. */
export function perModel<Loaded>(
  load: (model: InstalledModel) => Promise<Loaded>,
): (model: InstalledModel) => Promise<Loaded> {
  const loads = new Map<string, () => Promise<Loaded>>();
  return (model) => {
    const name = JSON.stringify(model);
    const loaded = loads.get(name) ?? once(() => load(model));
    loads.set(name, loaded);
    return loaded();
  };
}
