import type { EmbeddingRole } from '../../../contracts/embedder.ts';
import { sha256 } from '../../../core/identity.ts';

/** The settings that decide which space a vector lies in. */
export interface SpaceSettings {
  readonly space?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly query_prefix?: string | undefined;
  readonly passage_prefix?: string | undefined;
  /** Longer texts are seen in windows of this size, which gives other vectors. */
  readonly max_tokens?: number | undefined;
}

/** The fingerprint of a model under these settings: `name`, `@256` when shortened, window, a hash of the prefixes. */
export function spaceName(name: string, settings: SpaceSettings): string {
  if (settings.space !== undefined) return settings.space;
  const { query, chunk } = prefixesOf(settings);
  const shortened = settings.dimensions === undefined ? '' : `@${settings.dimensions}`;
  const windowed = settings.max_tokens === undefined ? '' : `/${settings.max_tokens}`;
  const prefixed = query || chunk ? `+${sha256(JSON.stringify([query, chunk])).slice(0, 8)}` : '';
  return `${name}${shortened}${windowed}${prefixed}`;
}

/** A server by its host and path: one host may serve a model on each of several paths. The usual path goes unsaid. */
export function placeOf({ host, pathname }: URL): string {
  const path = pathname.replace(/\/+$/, '');
  return path === '' || path === '/v1' ? host : `${host}${path}`;
}

/** What is put before a text in each role. */
export function prefixesOf(settings: SpaceSettings): Readonly<Record<EmbeddingRole, string>> {
  return {
    query: (settings.query_prefix ?? '').toWellFormed(),
    chunk: (settings.passage_prefix ?? '').toWellFormed(),
  };
}
