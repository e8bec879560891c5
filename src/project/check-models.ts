import { QuarryError } from '../core/errors.ts';
import type { ResolvedSettings } from './config.ts';

/** A file that came with the folder names models by name only: weights of its own would be loaded unseen. */
export function checkModels({ settings, origins }: ResolvedSettings): void {
  const named = [
    ['embedder.model', settings.embedder] as const,
    ...Object.entries(settings.embedders).map(([name, table]) => [`embedders.${name}.model`, table] as const),
  ];
  for (const [key, { driver, model }] of named) {
    const layer = origins.get(key.startsWith('embedder.') ? key : 'embedders')?.layer;
    if (layer !== 'project' || driver !== 'local' || !model || !/[\\/]|^\./.test(model)) continue;
    throw new QuarryError(
      'config-invalid',
      `quarry.toml sets ${key} to the folder ${model}; a file that comes with a project may only name models.`,
      'Set it in your user settings, in QUARRY_EMBEDDER_MODEL or with --set embedder.model=… instead.',
    );
  }
}
