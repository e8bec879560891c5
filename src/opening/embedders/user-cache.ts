import type { VectorCache } from '../../contracts/vector-cache.ts';
import type { Settings } from '../../settings/settings.ts';

/** Opens the cache of vectors that all of the user's projects share; where it is turned off it keeps nothing. */
export async function openUserCache(
  cacheFolder: string,
  { cache }: Settings,
  options: { readonly readOnly?: boolean } = {},
): Promise<VectorCache> {
  const { openVectorCache } = await import('../../embedding/cache/vector-cache.ts');
  return openVectorCache({ folder: cacheFolder, maxBytes: cache.max_bytes, ...options });
}
