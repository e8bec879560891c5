import type { Chunker, ChunkLimits } from '../contracts/chunker.ts';
import type { Extraction, Extractor } from '../contracts/extractor.ts';
import type { FileRecogniser } from '../contracts/recogniser.ts';
import type { SourceFile } from '../contracts/source.ts';
import type { ChunkEntry } from '../contracts/store.ts';
import type { FileGraph } from '../core/code-graph.ts';
import { type Document, type DocumentRecord, isVirtual, type Origin } from '../core/document.ts';
import { ageRule, oldestAdmitted } from '../core/documents/age-rule.ts';
import { type DocumentDescription, decodeKept } from '../core/documents/kept-content.ts';
import type { SkippedPath, SkipReason } from '../core/events.ts';
import { documentId } from '../core/identity.ts';
import { assembleChunks, type TextOrigin } from './assemble-chunks.ts';
import { cutLongDrafts } from './cut-long-drafts.ts';
import { dateMessages, messagesOf } from './dated-messages.ts';
import { hasGeneratedHeader } from './generated-header.ts';
import { type RedactedSecret, withoutSecrets } from './without-secrets.ts';

type ExtractedText = Extract<Extraction, { kind: 'text' }>;

/** How one file is read and cut; chosen by the project from its settings. */
export interface ReadingParts {
  limitsFor(document: Document): ChunkLimits;
  languageOf(uri: string): string | undefined;
  /** `recognised` is what the content shows the document to be. */
  typeOf(uri: string, language: string | undefined, recognised: string | undefined): string;
  originOf(uri: string): Origin;
  /** Days after which documents of a type are left out; undefined for never. */
  maxAgeDaysOf(type: string): number | undefined;
  mediaTypeOf(uri: string): string;
  /** Whether keys, tokens and passwords are blacked out. */
  readonly redactSecrets: boolean;
  extractorFor(uri: string): Promise<Extractor>;
  /** The chunker for a document; `wanted` is the extractor's own choice. */
  chunkerFor(document: Document, wanted: string | undefined): Promise<Chunker>;
}

/** A file, or added content as it is kept, before it is read. */
export interface RawDocument {
  readonly file: SourceFile;
  /** May no longer be used by the caller once it is handed over. */
  readonly bytes: Uint8Array;
  readonly revision: string;
  /** Whether nobody keeps what code defines and mentions. */
  readonly withoutGraph?: boolean;
  /** What another file says that is needed to read this one. */
  readonly beside?: string | undefined;
}

/** What the bytes of a file hold, and what is said of it. */
interface Content extends DocumentDescription {
  readonly bytes: Uint8Array;
  readonly modifiedAt: number;
  /** Whether the bytes are text that an extractor has made already. */
  readonly isExtracted?: boolean;
}

/** How one file is read. */
export interface ReadingOptions {
  /** Hears of each page that is read as a picture. */
  readonly onPage?: ((read: { readonly done: number; readonly total: number }) => void) | undefined;
  /** Stops the reading of pictures, which may take minutes. */
  readonly signal?: AbortSignal | undefined;
  /** Threads that such files are read in at most; absent for all that there are. */
  readonly threads?: number | undefined;
}

/** Reads files, here or in threads of their own. */
export interface Reading {
  /** Names everything that decides the chunks of a file; when it changes, files are chunked again. */
  readonly recipe: string;
  /** Files that are worth having under way at once. */
  readonly concurrency: number;
  /** Bytes of files that may be under way at once; a larger file is read alone. */
  readonly bytesAtOnce: number;
  /** Days after which documents of a type are left out, by type. */
  readonly maxAgeDays: Readonly<Record<string, number>>;
  /** The other file that is needed to read one, and what is used of it; absent where none ever is. */
  readonly beside?: {
    fileOf(uri: string): string | undefined;
    textOf(bytes: Uint8Array): string | undefined;
  };
  /** Whether the text of pictures is read; asked at each run, since a recogniser may be added at any time. */
  readsPictures?(): boolean;
  /** Whether a file of this name takes so long that others are read before it. */
  takesLong?(uri: string): boolean;
  /** Rejects when the document cannot be read, and with `interrupted` when reading its pictures is stopped. */
  read(raw: RawDocument, options?: ReadingOptions): Promise<ReadDocument>;
  /** Gives back the memory that reading takes until there is something to read again. */
  rest(): Promise<void>;
  close(): Promise<void>;
}

/** A file turned into chunks, or the reason why it has none. */
export type ReadDocument =
  | {
      readonly kind: 'document';
      readonly document: DocumentRecord;
      readonly chunks: ChunkEntry[];
      readonly degraded?: string;
      /** Pages that are pictures, whose text nobody has read. */
      readonly unreadPages?: number;
      /** What code defines and mentions. */
      readonly graph?: FileGraph;
      /** Secrets that were blacked out, by kind. */
      readonly redacted: readonly RedactedSecret[];
    }
  | { readonly kind: 'skipped'; readonly skipped: SkippedPath };

/** The text of a file as it is indexed, before it is cut. */
export type ExtractedDocument =
  | {
      readonly kind: 'text';
      readonly document: Document;
      readonly origin: TextOrigin;
      /** The chunker that its extractor asks for. */
      readonly chunker: string | undefined;
      /** What was lost. */
      readonly notes: readonly string[];
      readonly unreadPages: number;
      readonly redacted: readonly RedactedSecret[];
    }
  | Extract<ReadDocument, { kind: 'skipped' }>;

/** Extracts and cuts one document. */
export async function readDocument(
  raw: RawDocument,
  reading: ReadingParts,
  recogniser?: FileRecogniser,
): Promise<ReadDocument> {
  const extracted = await extractDocument(raw, reading, recogniser);
  if (extracted.kind === 'skipped') return extracted;
  const { document, origin, notes, unreadPages, redacted } = extracted;
  const chunker = await reading.chunkerFor(document, extracted.chunker);
  const {
    drafts,
    degraded: cutDegraded,
    graph,
  } = await chunker.chunk(document, {
    ...reading.limitsFor(document),
    ...(raw.withoutGraph && { withoutGraph: true }),
  });
  const degraded = [...notes, cutDegraded].filter(Boolean).join('; ');
  const { text: _, ...record } = document;
  return {
    kind: 'document',
    document: record,
    chunks: assembleChunks(document, cutLongDrafts(document.text, drafts), origin),
    redacted,
    ...(graph && { graph }),
    ...(degraded !== '' && { degraded }),
    ...(unreadPages > 0 && { unreadPages }),
  };
}

/** Extracts the text of one document and what is said of it. */
export async function extractDocument(
  raw: RawDocument,
  reading: ReadingParts,
  recogniser?: FileRecogniser,
): Promise<ExtractedDocument> {
  const { uri } = raw.file;
  const skip = (reason: SkipReason, rule: string): ExtractedDocument => ({
    kind: 'skipped',
    skipped: { uri, reason, rule },
  });
  const mediaType = reading.mediaTypeOf(uri);
  const content = contentOf(raw);
  const { bytes, title } = content;
  const extraction: Extraction = content.isExtracted
    ? { kind: 'text', text: new TextDecoder().decode(bytes) }
    : await (await reading.extractorFor(uri)).extract(
        { uri, bytes, mediaType, beside: raw.beside },
        recogniser,
      );
  if (extraction.kind === 'skip') return skip(extraction.reason, extraction.rule);

  const said: ExtractedText = {
    ...extraction,
    ...(title !== undefined && { title }),
    metadata: { ...extraction.metadata, ...content.metadata },
  };
  const { extraction: safe, redacted } = reading.redactSecrets
    ? withoutSecrets(said)
    : { extraction: said, redacted: [] };
  const described = describe(raw, content, safe, mediaType, reading);
  const days = isVirtual(uri) ? undefined : reading.maxAgeDaysOf(described.type);
  const oldest = days === undefined ? undefined : oldestAdmitted(days);
  const rule = ageRule(described.type, days ?? 0);
  const messages = messagesOf(described, safe.messages);
  const dated = messages && dateMessages(described, messages, oldest, rule);
  const document = dated?.document ?? described;
  if (oldest !== undefined && (dated?.isTooOld ?? document.modifiedAt < oldest)) return skip('too-old', rule);
  return {
    kind: 'text',
    document,
    origin: { places: safe.places, timeOf: dated?.timeOf, words: safe.words },
    chunker: extraction.chunker,
    notes: [extraction.degraded ?? '', ...(dated?.notes ?? [])],
    unreadPages: extraction.unreadPages ?? 0,
    redacted,
  };
}

/** The bytes of a file are its content; added content is kept together with what is said of it. */
function contentOf({ file: { uri, modifiedAt }, bytes }: RawDocument): Content {
  if (!isVirtual(uri)) return { bytes, modifiedAt };
  const { text, ...described } = decodeKept(bytes, uri);
  return { ...described, bytes: new TextEncoder().encode(text) };
}

function describe(
  { file: { uri }, revision }: RawDocument,
  content: Content,
  extraction: ExtractedText,
  mediaType: string,
  reading: ReadingParts,
): Document {
  const language = reading.languageOf(uri);
  return {
    id: documentId(uri),
    uri,
    title: extraction.title ?? uri.slice(uri.lastIndexOf('/') + 1),
    type: content.type ?? reading.typeOf(uri, language, extraction.type),
    origin: isVirtual(uri) ? 'virtual' : reading.originOf(uri),
    mediaType,
    text: extraction.text,
    revision,
    modifiedAt: content.modifiedAt,
    metadata: {
      ...extraction.metadata,
      ...(language && { language }),
      ...(language && hasGeneratedHeader(extraction.text) && { generated: true }),
    },
  };
}
