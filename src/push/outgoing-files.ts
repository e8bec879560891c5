import type { Source, SourceEntry, SourceFile } from '../contracts/source.ts';
import { isVirtual } from '../core/document.ts';
import { isConversation } from '../core/documents/conversation.ts';
import { pathScope } from '../core/documents/path-scope.ts';
import type { ErrorCode } from '../core/error-catalogue.ts';
import { messageOf, QuarryError } from '../core/errors.ts';
import type { IndexEvent } from '../core/events.ts';
import { sha256 } from '../core/identity.ts';
import type { Outgoing, OutgoingContent, OutgoingFile, OutgoingPage } from '../streaming/outgoing.ts';
import type { StreamLimits } from '../streaming/protocol.ts';
import { type PrepareOptions, prepareContent } from './prepare-content.ts';
import { isAsKnown, type KnownFile, type PushMemory } from './push-memory.ts';

/** What files are sent from. */
export interface OutgoingParts {
  readonly source: Source;
  readonly memory: PushMemory;
  readonly preparing: PrepareOptions;
  /** The paths that may have changed since the last push, where that is known. */
  readonly only?: readonly string[] | undefined;
  readonly signal: AbortSignal | undefined;
  readonly emit: (event: IndexEvent) => void;
}

/** What keeps a file here and says nothing of the others; without what reads its format nobody knows whether it holds secrets. */
const ofFile: readonly ErrorCode[] = ['file-unreadable', 'requirement-missing'];

/** What a scan found. */
interface Found {
  readonly files: readonly SourceFile[];
  /** Known files that cannot be looked at now: they may be back tomorrow, and stay as they were. */
  readonly hidden: readonly string[];
}

/** The files of a source, as they may leave this machine. */
export function createOutgoing(parts: OutgoingParts): Outgoing {
  const { memory, emit } = parts;
  const { files: known } = memory;

  /** Reads and prepares a file and remembers what came of it; undefined where it does not leave. */
  const prepare = async (file: SourceFile, fileBytes: number): Promise<OutgoingContent | undefined> => {
    const { uri, size: localSize, modifiedAt, changedAt } = file;
    const local = { size: localSize, modifiedAt, ...(changedAt !== undefined && { changedAt }) };
    const readAt = Date.now();
    const bytes = await parts.source.read(uri);
    const prepared = await prepareContent(uri, bytes, parts.preparing);
    const isTooLarge = prepared.kind === 'content' && prepared.bytes.length > fileBytes;
    if (prepared.kind === 'withheld' || isTooLarge) {
      known.set(uri, { local, readAt });
      const rule = `larger than the ${fileBytes} bytes that the server takes`;
      const skipped =
        prepared.kind === 'withheld' ? prepared.skipped : { uri, reason: 'too-large' as const, rule };
      emit({ type: 'path-skipped', skipped });
      return undefined;
    }
    const content = { size: prepared.bytes.length, hash: sha256(prepared.bytes) };
    known.set(uri, { local, readAt, content });
    if (prepared.secrets > 0)
      emit({ type: 'secrets-redacted', uri, found: [{ rule: 'before sending', count: prepared.secrets }] });
    const outgoing = { path: uri, ...content, modifiedAt, bytes: prepared.bytes };
    return { ...outgoing, read: async () => ({ ...outgoing, read: async () => undefined }) };
  };

  /** As `prepare`; a file that cannot be read stays as it was. */
  const prepareIfReadable = async (file: SourceFile, fileBytes: number) => {
    try {
      return await prepare(file, fileBytes);
    } catch (thrown) {
      if (!(thrown instanceof QuarryError) || !ofFile.includes(thrown.code)) throw thrown;
      emit({ type: 'document-failed', uri: file.uri, reason: messageOf(thrown) });
      return undefined;
    }
  };

  /** A file whose content is known by its hash, and is read only if the server needs it. */
  const asKnown = (uri: string, { content, local }: KnownFile, fileBytes: number): OutgoingFile[] =>
    content === undefined
      ? []
      : [
          {
            path: uri,
            ...content,
            modifiedAt: local.modifiedAt,
            read: () => prepareIfReadable({ uri, ...local }, fileBytes),
          },
        ];

  return {
    base: memory.revision,
    async *pages(revision, limits) {
      const { fileBytes } = limits;
      const isDifference = revision !== '' && revision === memory.revision;
      const isNews = ({ path, hash }: OutgoingFile) => !isDifference || memory.sent.get(path) !== hash;
      const { files, hidden } = await scan(parts, isDifference ? parts.only : undefined);
      const page = createPage(limits);
      for (const file of files) {
        const before = known.get(file.uri);
        const isKnown = isAsKnown(file, before);
        const read = isKnown ? undefined : await prepareIfReadable(file, fileBytes);
        const now = known.get(file.uri);
        const outgoing = read ? [read] : now ? asKnown(file.uri, now, fileBytes) : [];
        for (const each of outgoing.filter(isNews)) yield* page.add(each, read?.bytes.length ?? 0);
      }
      for (const uri of hidden)
        for (const each of asKnown(uri, known.get(uri) as KnownFile, fileBytes).filter(isNews))
          yield* page.add(each, 0);
      if (isDifference)
        for (const uri of memory.sent.keys()) if (!known.get(uri)?.content) yield* page.remove(uri);
      yield* page.rest();
    },
    replaced({ path, size, hash }) {
      const before = known.get(path);
      if (before) known.set(path, { ...before, content: { size, hash } });
    },
    dropped: (path) => void known.delete(path),
    totals() {
      const contents = [...known.values()].flatMap(({ content }) => content ?? []);
      return { files: contents.length, bytes: contents.reduce((sum, { size }) => sum + size, 0) };
    },
    completed: ({ revision }) => memory.completed(revision),
  };
}

/** Lists the files, all or only these, and forgets what is gone for certain. */
async function scan(
  { source, memory, signal, emit }: OutgoingParts,
  only: readonly string[] | undefined,
): Promise<Found> {
  const scope = only && pathScope(only);
  const files: SourceFile[] = [];
  const hiding: ((uri: string) => boolean)[] = [];
  for await (const entry of source.scan({ signal, only })) {
    if (entry.kind === 'file') {
      if (!isVirtual(entry.file.uri) && !isConversation(entry.file.uri)) files.push(entry.file);
    } else {
      emit({ type: 'path-skipped', skipped: entry.skipped });
      hiding.push(...hiddenBy(entry));
    }
  }
  const found = new Set(files.map(({ uri }) => uri));
  const missing = [...memory.files.keys()].filter((uri) => !found.has(uri) && scope?.holds(uri) !== false);
  const hidden = missing.filter((uri) => hiding.some((hides) => hides(uri)));
  const isHidden = new Set(hidden);
  for (const uri of missing) if (!isHidden.has(uri)) memory.files.delete(uri);
  return { files, hidden };
}

function hiddenBy({
  skipped,
  trouble,
}: Extract<SourceEntry, { kind: 'skipped' }>): ((uri: string) => boolean)[] {
  if (trouble) return [trouble.holds];
  if (skipped.reason !== 'unreadable') return [];
  const folder = skipped.uri.replace(/\/?$/, '/');
  return [(uri) => uri === skipped.uri || uri.startsWith(folder)];
}

/** Gathers files until a page is full: of entries, or of contents that wait in memory to be asked for. */
function createPage({ pageEntries, batchFiles, batchBytes }: StreamLimits) {
  let files: OutgoingFile[] = [];
  let removed: string[] = [];
  let inMemory = { files: 0, bytes: 0 };
  function* rest(): Generator<OutgoingPage> {
    if (files.length + removed.length > 0) yield { files, removed };
    files = [];
    removed = [];
    inMemory = { files: 0, bytes: 0 };
  }
  return {
    rest,
    *add(file: OutgoingFile, bytes: number): Generator<OutgoingPage> {
      if (inMemory.bytes > 0 && inMemory.bytes + bytes > batchBytes) yield* rest();
      files.push(file);
      inMemory = { files: inMemory.files + Number(bytes > 0), bytes: inMemory.bytes + bytes };
      if (files.length + removed.length >= pageEntries || inMemory.files >= batchFiles) yield* rest();
    },
    *remove(uri: string): Generator<OutgoingPage> {
      removed.push(uri);
      if (files.length + removed.length >= pageEntries) yield* rest();
    },
  };
}
