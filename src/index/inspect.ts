import { chunkInspection, manifestFault, rightKey } from '../contracts/record-faults.ts';
import type { ManifestEntry, Store } from '../contracts/store.ts';
import type { DocumentRecord } from '../core/document.ts';
import { documentId } from '../core/identity.ts';
import { type Finding, type Look, rebuilding, removal, requireGoing } from './findings.ts';
import { inspectText, isSampled } from './inspect-text.ts';
import { inspectVectors } from './inspect-vectors.ts';
import { type DocumentPart, readParts } from './read-parts.ts';
import { readTextKeys, type TextKeys } from './stored-texts.ts';

/** Chunks that a document without a manifest entry is taken to have. */
const guessedChunks = 64;

/** What was counted on the way through an index. */
interface Count {
  readonly chunks: Map<string, number>;
  readonly embedded: Map<string, number>;
  /** Documents that are not as they should be, and so not counted rightly. */
  readonly damaged: Set<string>;
}

/**
 * Looks at a whole index through the contract of its store, some chunks at a time. What is found is right only if the index has
 * not changed meanwhile.
 */
export async function* inspectIndex(store: Store, signal?: AbortSignal): AsyncGenerator<Finding> {
  requireGoing(signal);
  const look: Look = { store, state: await store.state(), signal };
  const documents = await store.documents();
  const entries = await store.manifest();
  const count: Count = { chunks: new Map(), embedded: new Map(), damaged: new Set() };
  const trusted = [];
  for (const { document, fault } of documentFaults(documents)) {
    if (fault === undefined) trusted.push(document);
    else {
      count.damaged.add(document.uri);
      yield removal('document', document.uri, fault);
    }
  }
  yield* inspectChunks(look, trusted, entries, count);
  yield* inspectManifest(entries, count);
  if (count.damaged.size === 0) yield* inspectCounts(look, documents, count);
}

function* documentFaults(
  documents: readonly DocumentRecord[],
): Generator<{ document: DocumentRecord; fault?: string }> {
  const uris = new Set<string>();
  for (const document of documents) {
    const { id, uri } = document;
    if (id !== documentId(uri)) yield { document, fault: `The document has the id ${id} of another path.` };
    else if (uris.has(uri)) yield { document, fault: 'The document is there more than once.' };
    else yield { document };
    uris.add(uri);
  }
}

async function* inspectChunks(
  look: Look,
  documents: readonly DocumentRecord[],
  entries: readonly ManifestEntry[],
  count: Count,
): AsyncGenerator<Finding> {
  const { store, signal } = look;
  const noted = new Map(entries.map(({ uri, chunks }) => [uri, chunks]));
  const sampled = new Set(documents.filter((_, at) => isSampled(at, documents.length)).map(({ uri }) => uri));
  const keys = await readTextKeys(store, signal);
  const inspectPart = partInspection(keys);
  const parts = readParts(store, documents, (uri) => noted.get(uri) ?? guessedChunks, signal);
  for await (const group of parts) {
    const sound: DocumentPart[] = [];
    for (const part of group) {
      const { uri } = part.document;
      count.chunks.set(uri, (count.chunks.get(uri) ?? 0) + part.chunks.length);
      const findings = inspectPart(part);
      yield* findings;
      if (findings.length === 0) sound.push(part);
      else count.damaged.add(uri);
    }
    yield* inspectVectors(look, sound, count.embedded);
    for (const part of sound)
      if (part.first === 0 && part.isLast && sampled.has(part.document.uri)) yield* inspectText(look, part);
  }
}

/** Looks at the parts of documents, which come in order. */
function partInspection(keys: TextKeys): (part: DocumentPart) => Finding[] {
  let inspect = chunkInspection('');
  return ({ document, chunks, first, failure }) => {
    const { id, uri } = document;
    if (first === 0) inspect = chunkInspection(uri);
    if (failure !== undefined) return [removal('chunk', uri, `Its chunks cannot be read: ${failure}`)];
    const faults = chunks.flatMap((chunk) =>
      chunk.documentId === id
        ? inspect(chunk)
        : [...inspect(chunk), `Chunk ${chunk.id} belongs to another document.`],
    );
    if (faults.length > 0) return faults.map((detail) => removal('chunk', uri, detail));
    return chunks
      .filter((chunk) => !keys.isInPlace(rightKey(chunk)))
      .map((chunk) => ({
        defect: { kind: 'chunk', uri, detail: `Chunk ${chunk.id} shares the vector of another text.` },
        cure: { step: 'rewrite', document },
      }));
  };
}

function* inspectManifest(entries: readonly ManifestEntry[], { chunks, damaged }: Count): Generator<Finding> {
  const seen = new Set<string>();
  for (const entry of entries) {
    const { uri } = entry;
    const found = chunks.get(uri);
    const fault = seen.has(uri)
      ? ({ kind: 'manifest', detail: 'The manifest has several entries of it.' } as const)
      : manifestFault(entry, found);
    seen.add(uri);
    if (!fault || damaged.has(uri)) continue;
    // Which of the two is right nobody knows: a document that is there is read again.
    yield { defect: { ...fault, uri }, cure: { step: found === undefined ? 'forget' : 'remove', uri } };
  }
}

/** What the store says of itself against what was found. */
async function* inspectCounts(
  { store, state }: Look,
  documents: readonly DocumentRecord[],
  { chunks, embedded }: Count,
): AsyncGenerator<Finding> {
  const uris = documents.map(({ uri }) => uri).sort();
  const paths = await store.paths();
  if (paths.length !== uris.length || paths.some((path, at) => path !== uris[at]))
    yield rebuilding({
      kind: 'document',
      detail: `The index lists ${paths.length} paths that are not those of its ${uris.length} documents.`,
    });
  if (state.isEmpty !== (documents.length === 0))
    yield rebuilding({
      kind: 'count',
      detail: `The index ${state.isEmpty ? 'calls itself empty' : 'has no document, and does not say so'}.`,
    });
  let total = 0;
  for (const each of chunks.values()) total += each;
  if (state.chunks !== total)
    yield rebuilding({
      kind: 'count',
      detail: `The index counts ${state.chunks} chunks where there are ${total}.`,
    });
  for (const [space, { embedded: counted }] of state.spaces) {
    const found = embedded.get(space) ?? 0;
    if (counted === found) continue;
    const detail = `The vector space ${space} counts ${counted} chunks where there are ${found}.`;
    yield { defect: { kind: 'count', detail }, cure: { step: 'space', space } };
  }
}
