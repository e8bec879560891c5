import { relative, resolve, sep } from 'node:path';
import { asQuarryError, QuarryError } from '../core/errors.ts';
import { containedIn, containedPath, isInside } from '../platform/contained-path.ts';
import { realPath } from '../platform/real-path.ts';
import { isAddress } from './check-project-file.ts';
import type { ResolvedSettings } from './config.ts';

/** A file that came with the folder may only name what is inside it; the user's own layers may name anything. */
export async function checkRoots(folder: string, { settings, origins }: ResolvedSettings): Promise<void> {
  const { url } = settings.store;
  // A link inside the folder may lead out of it.
  if (url !== undefined && !isAddress(url) && origins.get('store.url')?.layer === 'project')
    await containedPath(folder, url);
  if (origins.get('index.roots')?.layer !== 'project') return;
  const real = await realPath(folder);
  const { liesInSecret } = await import('../drivers/sources/local/rules/default-skip-index.ts');
  for (const root of settings.index.roots) {
    const named = resolve(folder, root);
    const way = asUri(relative(isInside(folder, named) ? folder : real, named));
    // Links are followed before judging: a link inside the folder may lead out of it, now or later.
    const target = await containedIn(real, way).catch((thrown) => {
      throw asQuarryError(thrown).code === 'path-outside-root'
        ? refused(root, `is outside ${folder}`)
        : thrown;
    });
    if (liesInSecret(asUri(relative(real, target))))
      throw refused(root, 'is a folder of keys or credentials');
  }
}

function asUri(way: string): string {
  return way.split(sep).join('/') || '.';
}

function refused(root: string, why: string): QuarryError {
  return new QuarryError(
    'config-invalid',
    `quarry.toml names the root ${root}, which ${why}.`,
    'Name it in your user settings, in QUARRY_INDEX_ROOTS or with --set index.roots=… instead.',
  );
}
