import { z } from 'zod';
import type { IndexState, Store } from '../../contracts/store.ts';
import { embeddedIn } from '../../index/state.ts';
import { setFact } from '../../index/write.ts';
import { namesFolder } from '../../settings/check-project-file.ts';
import type { EmbedderSettings } from '../../settings/embedder-settings.ts';

/** The fact that names the embedder whose vectors were last complete. */
const completeFact = 'complete-vectors';
/** Where a few texts are refused for good, the rest is as complete as it will be. */
const nearlyAll = 0.98;

/** An embedder that an index remembers, and the space of its vectors. */
export interface PreviousEmbedder {
  readonly space: string;
  readonly embedder: EmbedderSettings;
}

const factSchema = z.object({ space: z.string(), embedder: z.looseObject({ driver: z.string() }) });

/**
 * The embedder whose vectors were last complete in this index. It is data that may have come with a folder: it names no
 * folder to load weights from.
 */
export function previousEmbedder({ facts }: IndexState): PreviousEmbedder | undefined {
  const fact = facts.get(completeFact);
  if (fact === undefined) return undefined;
  try {
    const parsed = factSchema.safeParse(JSON.parse(fact));
    if (!parsed.success || namesFolder(parsed.data.embedder)) return undefined;
    const { space, embedder } = parsed.data;
    return { space, embedder: { ...modelOf(space, embedder.driver), ...embedder } };
  } catch {
    // No JSON, or a model that is not known here: there is none to go on with.
    return undefined;
  }
}

/** Where no model was named it was the default of that time, which may be another one now: the space says which. */
function modelOf(space: string, driver: string): { model?: string } {
  const [, model] = /^local:([\w.-]+):/.exec(space) ?? [];
  return driver === 'local' && model !== undefined ? { model } : {};
}

/** Notes the embedder whose vectors are complete; a part of its address that may hold a key is left out. */
export async function rememberEmbedder(
  store: Store,
  { facts }: IndexState,
  previous: PreviousEmbedder,
): Promise<void> {
  const { url, ...embedder } = previous.embedder;
  const address = url !== undefined && URL.canParse(url) ? new URL(url) : undefined;
  const place = address && { url: `${address.origin}${address.pathname}` };
  const fact = JSON.stringify({ space: previous.space, embedder: { ...embedder, ...place } });
  if (facts.get(completeFact) !== fact) await setFact(store, completeFact, fact);
}

/** Whether the vectors of a space cover the index as far as can be expected. */
export function isCovered(state: IndexState, space: string): boolean {
  return embeddedIn(state, space) >= state.chunks * nearlyAll;
}
