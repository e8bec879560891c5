import { z } from 'zod';
import type { IndexState, Store } from '../contracts/store.ts';
import { contextHeader, embeddedText } from '../core/chunk.ts';
import type { DocumentRecord } from '../core/document.ts';
import type { IndexEvent, RefusedChunk } from '../core/events.ts';
import { embeddingKey as keyOf } from '../core/identity.ts';
import { shortened } from '../core/text/shortened.ts';
import { chunksOf } from '../index/chunks-of.ts';
import { pendingIn } from '../index/state.ts';
import { setFact } from '../index/write.ts';

/** The fact that remembers the texts which models refused. */
export const refusedFact = 'refused-texts';
/** Texts of a space that are remembered one by one; of further ones only the number. */
const maxRemembered = 2_000;
/** Vector spaces that are remembered, the latest first: embedders come and go. */
const maxSpaces = 8;
/** Letters of a reason: servers may quote the whole text. */
const maxReasonLength = 300;
/** Texts looked through at a time. */
const textsPerPage = 512;

/** A text that a model refused, as the index knows it. */
export interface RefusedText {
  readonly embeddingKey: string;
  /** Its position among the missing ones, where that is known. */
  readonly position: number | undefined;
  readonly reason: string;
}

/** The chunks of refused texts, by path and line. */
export interface RefusedChunks {
  readonly chunks: readonly RefusedChunk[];
  /** Those that are listed, and those beyond what an index remembers one by one. */
  readonly total: number;
}

/** Whether vectors are missing that could still be made: texts that a model refuses it would refuse again. */
export function isUnfinished({ pending, refused }: Extract<IndexEvent, { type: 'vectors-failed' }>): boolean {
  return (refused?.total ?? 0) < pending;
}

const entrySchema = z.object({ key: z.string(), position: z.int().min(0), reason: z.string() });
const recordSchema = z.object({
  space: z.string(),
  entries: z.array(entrySchema),
  unlisted: z.int().min(0),
});
const factSchema = z.array(recordSchema);

type Entry = z.output<typeof entrySchema>;
type SpaceRecord = z.output<typeof recordSchema>;

/** How a run that met refused texts ended. */
export interface KeepOptions {
  /** Whether the run asked for every missing text, so that what was refused before and not now has its vector. */
  readonly isComplete: boolean;
  /** The index as it stands, where the caller knows it. */
  readonly state?: IndexState;
}

/** Remembers in the index what a run of a space was refused, in place of what holds no longer. */
export async function keepRefusals(
  store: Store,
  space: string,
  refused: readonly RefusedText[],
  { isComplete, state }: KeepOptions,
): Promise<void> {
  const records = await readRecords(store, state);
  const before = records.find((record) => record.space === space);
  if (!before && refused.length === 0) return;
  const now = await withPositions(store, space, refused);
  const asked = new Set(now.map(({ key }) => key));
  const entries = [...now];
  // What this run did not come to is still refused, unless it has a vector or is gone.
  for (const entry of before?.entries ?? [])
    if (!asked.has(entry.key) && (await textStillMissing(store, space, entry)) !== undefined)
      entries.push(entry);
  const beyond = Math.max(0, entries.length - maxRemembered);
  const unlisted = isComplete ? beyond : Math.max(beyond, before?.unlisted ?? 0);
  const record = { space, entries: entries.slice(0, maxRemembered), unlisted };
  const others = records.filter((other) => other.space !== space);
  const kept = (entries.length > 0 ? [record, ...others] : others).slice(0, maxSpaces);
  await setFact(store, refusedFact, kept.length > 0 ? JSON.stringify(kept) : undefined);
}

/**
 * The chunks that have no vector in these spaces because a model refused their text, as they stand in the index at this
 * moment: one that has its vector by now, or is gone, is not among them.
 */
export async function refusedChunks(
  store: Store,
  isWanted: (space: string, embeddingKey: string) => boolean,
  state?: IndexState,
): Promise<RefusedChunks> {
  const chunks: RefusedChunk[] = [];
  let unlisted = 0;
  for (const { space, entries, ...record } of await readRecords(store, state)) {
    const missing: MissingText[] = [];
    for (const entry of entries) {
      const text = isWanted(space, entry.key) ? await textStillMissing(store, space, entry) : undefined;
      if (text !== undefined) missing.push({ ...entry, text });
    }
    const found = missing.length === 0 ? [] : await locate(store, missing);
    for (const chunk of found) chunks.push({ ...chunk, space });
    if (missing.length === 0 || record.unlisted === 0) continue;
    const pending = pendingIn(await store.state(), space);
    unlisted += Math.min(record.unlisted, Math.max(0, pending - found.length));
  }
  // Chunks of one document come in its order, and the sort keeps that.
  chunks.sort((one, other) => compare(one.uri, other.uri));
  return { chunks, total: chunks.length + unlisted };
}

/** Remembers in a copy of an index what models refused in the index: texts have other positions there. */
export async function copyRefusals(source: Store, copy: Store): Promise<void> {
  const records = await readRecords(source);
  await setFact(copy, refusedFact, undefined);
  for (const { space, entries } of records.toReversed()) {
    const refused = entries.map(({ key, reason }) => ({ embeddingKey: key, position: undefined, reason }));
    await keepRefusals(copy, space, refused, { isComplete: true });
  }
}

/** The embedding keys of the texts that are remembered as refused in a space. */
export async function refusedKeys(store: Store, space: string): Promise<ReadonlySet<string>> {
  const record = (await readRecords(store)).find((one) => one.space === space);
  return new Set(record?.entries.map(({ key }) => key));
}

/** A reason as it is remembered and shown: one line of bounded length. */
export function shortReason(message: string): string {
  return shortened(message.replace(/\s+/g, ' ').trim(), maxReasonLength);
}

/** The index may have come with a folder: what is no record of ours counts as none. */
async function readRecords(store: Store, state?: IndexState): Promise<SpaceRecord[]> {
  const fact = (state ?? (await store.state())).facts.get(refusedFact);
  if (fact === undefined) return [];
  try {
    return factSchema.safeParse(JSON.parse(fact)).data ?? [];
  } catch {
    // No JSON: not ours.
    return [];
  }
}

/** The text, if it still has no vector in the space. */
async function textStillMissing(store: Store, space: string, entry: Entry): Promise<string | undefined> {
  const [next] = await store.missingVectors(space, 1, entry.position - 1);
  return next?.embeddingKey === entry.key ? next.text : undefined;
}

async function withPositions(store: Store, space: string, refused: readonly RefusedText[]): Promise<Entry[]> {
  const positions = new Map<string, number>();
  const unknown = new Set<string>();
  for (const { embeddingKey, position } of refused)
    if (position === undefined) unknown.add(embeddingKey);
    else positions.set(embeddingKey, position);
  for (let after = 0; unknown.size > 0; ) {
    const page = await store.missingVectors(space, textsPerPage, after);
    for (const { embeddingKey, position } of page)
      if (unknown.delete(embeddingKey)) positions.set(embeddingKey, position);
    after = page.at(-1)?.position ?? after;
    if (page.length === 0) break;
  }
  const reasons = new Map(refused.map(({ embeddingKey, reason }) => [embeddingKey, reason]));
  return [...positions].map(([key, position]) => ({ key, position, reason: reasons.get(key) ?? '' }));
}

interface MissingText extends Entry {
  readonly text: string;
}

/** Where these texts stand in the documents; equal texts may stand in several places. */
async function locate(store: Store, missing: readonly MissingText[]): Promise<Omit<RefusedChunk, 'space'>[]> {
  const documents = await store.documents();
  const reasons = new Map(missing.map(({ key, reason }) => [key, reason]));
  const unseen = new Set(reasons.keys());
  const found: Omit<RefusedChunk, 'space'>[] = [];
  const lookInto = async ({ id, uri }: DocumentRecord): Promise<void> => {
    for (const chunk of await chunksOf(store, id)) {
      const key = keyOf(embeddedText(chunk));
      const reason = reasons.get(key);
      if (reason === undefined) continue;
      found.push({ uri, place: chunk.place, reason });
      unseen.delete(key);
    }
  };
  // A text begins with the path of its document: only where that does not help are all of them looked through.
  const likely = likelyHomes(documents, missing);
  for (const document of likely) await lookInto(document);
  for (const document of documents) {
    if (unseen.size === 0) break;
    if (!likely.has(document)) await lookInto(document);
  }
  return found;
}

/** The documents whose path the texts begin with. */
function likelyHomes(
  documents: readonly DocumentRecord[],
  missing: readonly MissingText[],
): ReadonlySet<DocumentRecord> {
  const byHeader = Map.groupBy(documents, ({ uri }) => contextHeader(uri, ''));
  const longest = [...byHeader.keys()].reduce((max, header) => Math.max(max, header.length), 0);
  const homes = new Set<DocumentRecord>();
  for (const { text } of missing) {
    const beginning = text.slice(0, longest + 3);
    for (const { index } of beginning.matchAll(/ > |\n\n/g))
      for (const document of byHeader.get(text.slice(0, index)) ?? []) homes.add(document);
  }
  return homes;
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
