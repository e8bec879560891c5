import type { EmbeddingRole } from '../../../contracts/embedder.ts';
import { sha256 } from '../../../core/identity.ts';

/** The settings that decide which space a vector lies in. */
export interface SpaceSettings {
  readonly space?: string | undefined;
  readonly dimensions?: number | undefined;
  readonly query_prefix?: string | undefined;
  readonly passage_prefix?: string | undefined;
}

/** The fingerprint of a model under these settings: `name`, `@256` when shortened, a hash of what is put before texts. */
export function spaceName(name: string, settings: SpaceSettings): string {
  if (settings.space !== undefined) return settings.space;
  const { query, passage } = prefixesOf(settings);
  const shortened = settings.dimensions === undefined ? '' : `@${settings.dimensions}`;
  const prefixed = query || passage ? `+${sha256(JSON.stringify([query, passage])).slice(0, 8)}` : '';
  return `${name}${shortened}${prefixed}`;
}

/** What is put before a text in each role. */
export function prefixesOf(settings: SpaceSettings): Readonly<Record<EmbeddingRole, string>> {
  return {
    query: (settings.query_prefix ?? '').toWellFormed(),
    passage: (settings.passage_prefix ?? '').toWellFormed(),
  };
}
