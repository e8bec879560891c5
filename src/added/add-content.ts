import type { AddedContent, VirtualDocument } from '../calls/project.ts';
import type { Source } from '../contracts/source.ts';
import type { Store } from '../contracts/store.ts';
import type { VectorSource } from '../contracts/vector-source.ts';
import { virtualUri } from '../core/document.ts';
import { encodeKept, type KeptContent } from '../core/documents/kept-content.ts';
import { asQuarryError, interrupted, QuarryError } from '../core/errors.ts';
import { sha256 } from '../core/identity.ts';
import { deletePaths } from '../index/write.ts';
import { commitAdded } from '../indexing/commit-added.ts';
import { embedChunks } from '../indexing/embed-missing.ts';
import type { PreparedFile } from '../indexing/ingest.ts';
import type { ReadDocument, Reading } from '../indexing/read-document.ts';
import { withoutSecrets } from '../indexing/without-secrets.ts';
import { maxBytes } from '../reading/max-bytes.ts';
import type { Settings } from '../settings/settings.ts';
import { discard, isKept, keep } from './kept-folder.ts';
import { type KeptPlace, type KeptProof, keptProof } from './kept-proof.ts';
import { createKeptSource } from './kept-source.ts';
import { extractedContent } from './stored-content.ts';

/** What content is added to and removed from. */
export interface ContentParts extends KeptPlace {
  readonly settings: Settings;
  readonly reading: () => Promise<Reading>;
  /** Each embedder that is kept up to date, the one in use first. */
  readonly vectors: readonly (() => Promise<VectorSource>)[];
  /** Sees to it that the project and its state folder are there. */
  readonly prepareToWrite: () => Promise<void>;
  /** Writes into the index that answers. */
  readonly inCurrent: <Result>(write: (store: Store) => Promise<Result>) => Promise<Result>;
}

/**
 * Keeps content first and puts it into the index then: a process that is killed between the two leaves the rest to the
 * next run. No lock is taken, so that content can be added during a run.
 */
export async function addContent(
  parts: ContentParts,
  document: VirtualDocument,
  signal: AbortSignal | undefined,
): Promise<AddedContent> {
  if (signal?.aborted) throw interrupted(signal.reason);
  const { folder, inCurrent } = parts;
  const reading = await parts.reading();
  const { bytes, prepared, chunks } = await prepare(
    contentOf(document, parts.settings),
    reading,
    await keptProof(parts),
  );
  const { uri } = prepared.entry;
  await parts.prepareToWrite();
  const replaced = await isKept(folder, uri);
  await keep(folder, uri, bytes);
  const source: Source = createKeptSource(parts);
  const warnings: QuarryError[] = [];
  try {
    await inCurrent((store) => commitAdded({ store, source, reading }, prepared));
    for (const open of parts.vectors) {
      const failure = await inCurrent((store) => embedChunks(store, open, chunks, signal));
      if (failure) warnings.push(failure);
    }
  } catch (thrown) {
    // It is kept, and the next run that can write the index brings it in.
    const error = asQuarryError(thrown);
    if (!error.code.startsWith('store-')) throw error;
    warnings.push(error);
  }
  return { uri, replaced, warnings };
}

/** Removes added content for good. A run that has just read it looks again and removes it too. */
export async function removeContent(
  { folder, inCurrent }: ContentParts,
  uri: string,
  hasIndex: boolean,
): Promise<boolean> {
  const wasKept = await discard(folder, uri);
  if (!hasIndex) return wasKept;
  const wasIndexed = (await inCurrent((store) => deletePaths(store, [uri]))) > 0;
  // A run that met the document in the index without its file may have kept it again.
  return (await discard(folder, uri)) || wasKept || wasIndexed;
}

/** The content as it may be kept: not too large, and without secrets. */
function contentOf({ name, text, ...described }: VirtualDocument, { index }: Settings): KeptContent {
  const uri = virtualUri(name);
  const max = maxBytes(uri, index);
  if (Buffer.byteLength(text) > max)
    throw new QuarryError(
      'document-unsupported',
      `${uri} was not added: it has more than ${max} bytes.`,
      'Add it in parts, or raise index.max_file_bytes.',
    );
  const said = { kind: 'text', text, ...described } as const;
  const safe = index.redact_secrets ? withoutSecrets(said).extraction : said;
  const { title, metadata } = safe;
  return {
    uri,
    modifiedAt: Date.now(),
    ...(title !== undefined && { title }),
    ...(described.type !== undefined && { type: described.type }),
    ...(metadata !== undefined && { metadata }),
    text: safe.text,
  };
}

/** Cuts content before it is kept: what cannot be indexed is refused. */
async function prepare(content: KeptContent, reading: Reading, { prove }: KeptProof) {
  const cut = async (kept: KeptContent) => {
    const bytes = encodeKept(kept, prove);
    const { uri, modifiedAt } = kept;
    const revision = sha256(bytes);
    const file = { uri, size: bytes.length, modifiedAt };
    const read = requireDocument(await reading.read({ file, bytes: Uint8Array.from(bytes), revision }));
    // Without a time: the next run compares the content.
    const entry = { uri, size: bytes.length, modifiedAt: 0, contentHash: revision, recipe: reading.recipe };
    return { bytes, read, prepared: { entry, content: read } satisfies PreparedFile, chunks: read.chunks };
  };
  const made = await cut(content);
  const { document, chunks, redacted } = made.read;
  // A secret that its format has hidden, as base64 in a message does, must not be kept in that form either.
  return redacted.length === 0
    ? made
    : cut(
        extractedContent(
          document,
          chunks.map(({ chunk }) => chunk),
        ),
      );
}

function requireDocument(read: ReadDocument): Extract<ReadDocument, { kind: 'document' }> {
  if (read.kind === 'document') return read;
  const { uri, reason, rule } = read.skipped;
  throw new QuarryError(
    'document-unsupported',
    `${uri} was not added: ${reason}, ${rule}.`,
    'Add text with at least one word.',
  );
}
